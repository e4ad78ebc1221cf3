#pragma once

namespace stickslip {

/// An OpenGL 4.5 context without window or display (EGL, surfaceless), current while it lives. One at a time.
class GlContext {
public:
    /// Errors: FileError when the system has none; the text says what to install.
    GlContext();
    ~GlContext();
    GlContext(const GlContext&) = delete;
    GlContext& operator=(const GlContext&) = delete;

private:
    void *display_ = nullptr, *context_ = nullptr;
};

} // namespace stickslip
