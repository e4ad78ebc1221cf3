#pragma once

/// The shaders of the renderer (GLSL 4.5). Colours are linear; the framebuffer converts to sRGB.
namespace stickslip::shaders {

/// Begins every shader: version, camera, how lamp and sky light a surface, and what a program must define that asks for
/// the other: `light(place, normal)`.
extern const char* const common;

/// The lights and their places in shadow maps; with them what of lamp and sky reaches a place, asked of every shadow
/// map: slow. `light` by that.
extern const char* const light_table;
extern const char* const many_lights;
extern const char* const light_of_all;

/// Textures of what the eye sees first in each pixel, and how alike a surface is to that.
extern const char* const seen_surfaces;

/// Write what of lamp and sky reaches what is seen: of every other pixel along both axes, first by a quarter of the
/// lights, in turn, then by all, as means over neighbours of the same surface; at last `light` of each pixel,
/// interpolated between those.
extern const char* const screen_vertex;
extern const char* const sampled_light_fragment;
extern const char* const smoothed_light_fragment;
extern const char* const light_fragment;

/// `light` read from what these have written, for surfaces that are seen.
extern const char* const light_of_seen;

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
