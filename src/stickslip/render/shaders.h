#pragma once

/// The shaders of the renderer (GLSL 4.5). Colours are linear; the framebuffer converts to sRGB.
namespace stickslip::shaders {

/// Begins every shader: version, camera, the light that casts no shadows, and what a program must define that asks for
/// the other: `light(place, normal)`.
extern const char* const common;

/// The lights and their places in shadow maps; with them `light`, asked of every shadow map: slow.
extern const char* const light_table;
extern const char* const many_lights;

/// Textures of what the eye sees first in each pixel, and how alike a surface is to that.
extern const char* const seen_surfaces;

/// Writes `light` of what is seen: with `stride` 2 of every other pixel along both axes; with 1 of each, interpolated
/// between those where they are of the same surface.
extern const char* const screen_vertex;
extern const char* const light_fragment;

/// `light` read from what these have written, for surfaces that are seen.
extern const char* const light_of_seen;

/// Colour of a surface in this light: `shaded(colour, place, normal)`.
extern const char* const shading;

/// The ray through a pixel against a ball.
extern const char* const ball_hit;

extern const char* const mesh_vertex;
extern const char* const mesh_fragment;
extern const char* const sphere_vertex;
extern const char* const sphere_fragment;
extern const char* const plane_vertex;
extern const char* const plane_fragment;

/// Place and normal alone, for what is seen.
extern const char* const mesh_surface_fragment;
extern const char* const sphere_surface_fragment;
extern const char* const plane_surface_fragment;

/// Depth as a light sees it, of meshes and of spheres.
extern const char* const mesh_shadow_vertex;
extern const char* const mesh_shadow_fragment;
extern const char* const sphere_shadow_vertex;
extern const char* const sphere_shadow_fragment;

} // namespace stickslip::shaders
