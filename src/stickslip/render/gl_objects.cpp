#include "stickslip/render/gl_objects.h"

#include "stickslip/math/check.h"

#include <string>

namespace stickslip {

namespace {

GLuint compiled(GLenum stage, GlProgram::Texts texts)
{
    const GLuint shader = glCreateShader(stage);
    glShaderSource(shader, static_cast<GLsizei>(texts.size()), texts.begin(), nullptr);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    STICKSLIP_ASSERT(good);
    return shader;
}

} // namespace

GlProgram::GlProgram(Texts vertex, Texts fragment)
    : id_(glCreateProgram())
{
    for (const GLuint shader : {compiled(GL_VERTEX_SHADER, vertex), compiled(GL_FRAGMENT_SHADER, fragment)}) {
        glAttachShader(id_, shader);
        glDeleteShader(shader); // stays until the program goes
    }
    glLinkProgram(id_);
    GLint good = 0;
    glGetProgramiv(id_, GL_LINK_STATUS, &good);
    STICKSLIP_ASSERT(good);
}

void GlProgram::set(const char* name, const Eigen::Matrix4f& value) const
{
    glProgramUniformMatrix4fv(id_, glGetUniformLocation(id_, name), 1, GL_FALSE, value.data());
}

void GlProgram::set(const char* name, const Eigen::Vector3f& value) const
{
    glProgramUniform3fv(id_, glGetUniformLocation(id_, name), 1, value.data());
}

void GlProgram::set(const char* name, const Eigen::Vector4f& value) const
{
    glProgramUniform4fv(id_, glGetUniformLocation(id_, name), 1, value.data());
}

void GlProgram::set(const char* name, float value) const
{
    glProgramUniform1f(id_, glGetUniformLocation(id_, name), value);
}

void GlProgram::set(const char* name, int value) const
{
    glProgramUniform1i(id_, glGetUniformLocation(id_, name), value);
}

void GlProgram::set(const char* name, std::span<const Eigen::Matrix4f> values) const
{
    glProgramUniformMatrix4fv(
        id_, glGetUniformLocation(id_, name), static_cast<GLsizei>(values.size()), GL_FALSE, values.front().data());
}

void GlProgram::set(const char* name, std::span<const Eigen::Vector4f> values) const
{
    glProgramUniform4fv(
        id_, glGetUniformLocation(id_, name), static_cast<GLsizei>(values.size()), values.front().data());
}

} // namespace stickslip
