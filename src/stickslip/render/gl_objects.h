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
template <auto& create, auto& destroy, GLenum... target>
class GlHandle {
public:
    GlHandle() { create(target..., 1, &id_); }
    ~GlHandle() { destroy(1, &id_); }
    GlHandle(const GlHandle&) = delete;
    GlHandle& operator=(const GlHandle&) = delete;
    operator GLuint() const { return id_; }

private:
    GLuint id_ = 0;
};

using GlBuffer = GlHandle<glCreateBuffers, glDeleteBuffers>;
using GlVertexArray = GlHandle<glCreateVertexArrays, glDeleteVertexArrays>;
using GlFramebuffer = GlHandle<glCreateFramebuffers, glDeleteFramebuffers>;
using GlRenderbuffer = GlHandle<glCreateRenderbuffers, glDeleteRenderbuffers>;
using GlTexture = GlHandle<glCreateTextures, glDeleteTextures, GL_TEXTURE_2D>;
using GlTextureArray = GlHandle<glCreateTextures, glDeleteTextures, GL_TEXTURE_2D_ARRAY>;

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
