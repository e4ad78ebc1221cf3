#pragma once

/// The shaders of the renderer (GLSL 4.5). Colours are linear; the framebuffer converts to sRGB.
namespace stickslip::shaders {

/// Version and lighting: `light(place, normal, to_eye)` is what falls on a surface, all shadows counted.
extern const char* const common;

extern const char* const mesh_vertex;
extern const char* const mesh_fragment;
extern const char* const sphere_vertex;
extern const char* const sphere_fragment; // leaves out what is behind the depth texture at binding 2
extern const char* const sphere_front_fragment; // makes that texture
extern const char* const plane_vertex;
extern const char* const plane_fragment;

/// Depth as a light sees it, of meshes and of spheres.
extern const char* const mesh_shadow_vertex;
extern const char* const mesh_shadow_fragment;
extern const char* const sphere_shadow_vertex;
extern const char* const sphere_shadow_fragment;

} // namespace stickslip::shaders
