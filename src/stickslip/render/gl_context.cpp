#include "stickslip/render/gl_context.h"

#include "stickslip/math/error.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>

namespace stickslip {

namespace {

[[noreturn]] void fail(const char* what)
{
    throw FileError(std::string("cannot draw: ") + what
        + "; install an OpenGL driver that needs no display (Debian: libegl1 libgl1-mesa-dri)");
}

EGLDisplay open_display()
{
    const auto get = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (!get)
        fail("EGL knows no platforms");
    EGLDisplay display = get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
        fail("there is no surfaceless EGL");
    return display;
}

} // namespace

GlContext::GlContext()
    : display_(open_display())
{
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5,
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display_, wanted, &config, 1, &count) || count == 0)
        fail("EGL has no OpenGL");
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    if (context_ == EGL_NO_CONTEXT || !eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
        fail("there is no OpenGL 4.5");
}

GlContext::~GlContext()
{
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
    eglTerminate(display_);
}

} // namespace stickslip
