#pragma once

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#include <Eigen/Core>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>

namespace stickslip {

/// An OpenGL object that is deleted with its owner. Pre: a context is current while it lives.
template <void (*create)(GLuint&), void (*destroy)(GLuint)>
class GlHandle {
public:
    GlHandle() { create(id_); }
    ~GlHandle() { destroy(id_); }
    GlHandle(const GlHandle&) = delete;
    GlHandle& operator=(const GlHandle&) = delete;
    operator GLuint() const { return id_; }

private:
    GLuint id_ = 0;
};

using GlBuffer = GlHandle<[](GLuint& id) { glCreateBuffers(1, &id); }, [](GLuint id) { glDeleteBuffers(1, &id); }>;
using GlVertexArray =
    GlHandle<[](GLuint& id) { glCreateVertexArrays(1, &id); }, [](GLuint id) { glDeleteVertexArrays(1, &id); }>;
using GlFramebuffer =
    GlHandle<[](GLuint& id) { glCreateFramebuffers(1, &id); }, [](GLuint id) { glDeleteFramebuffers(1, &id); }>;
using GlRenderbuffer =
    GlHandle<[](GLuint& id) { glCreateRenderbuffers(1, &id); }, [](GLuint id) { glDeleteRenderbuffers(1, &id); }>;
using GlTexture =
    GlHandle<[](GLuint& id) { glCreateTextures(GL_TEXTURE_2D, 1, &id); }, [](GLuint id) { glDeleteTextures(1, &id); }>;
using GlTextureArray = GlHandle<[](GLuint& id) { glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &id); },
    [](GLuint id) { glDeleteTextures(1, &id); }>;

/// A shader program. A fault in a shader is a bug of ours: an assertion with the compiler's words.
class GlProgram {
public:
    /// Texts that follow one another in a shader; the first holds the version.
    using Texts = std::initializer_list<const char*>;
    GlProgram(Texts vertex, Texts fragment);
    ~GlProgram() { glDeleteProgram(id_); }
    GlProgram(const GlProgram&) = delete;
    GlProgram& operator=(const GlProgram&) = delete;

    void use() const { glUseProgram(id_); }
    void set(const char* name, const Eigen::Matrix4f& value) const;
    void set(const char* name, const Eigen::Vector3f& value) const;
    void set(const char* name, const Eigen::Vector4f& value) const;
    void set(const char* name, float value) const;
    void set(const char* name, int value) const;
    void set(const char* name, std::span<const Eigen::Matrix4f> values) const;
    void set(const char* name, std::span<const Eigen::Vector4f> values) const;

private:
    GLuint id_;
};

} // namespace stickslip
