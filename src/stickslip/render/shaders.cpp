#include "stickslip/render/shaders.h"

namespace stickslip::shaders {

const char* const common = R"(#version 450 core
uniform mat4 clip;                       // world to the camera's clip space
uniform vec3 eye, up, lamp_way;          // up and towards the lamp: unit
uniform vec4 stage;                      // xyz its centre, w how far shadows reach
uniform float lamp_light, sky_light;     // of each, on what faces it and where nothing hides it

const float bounce = 0.30, from_eye = 0.22; // light from the ground, and from the viewer

float unshadowed(vec3 normal, vec3 to_eye)
{
    return bounce * (0.5 - 0.5 * dot(normal, up)) + from_eye * max(dot(normal, to_eye), 0.0);
}

// Light on a surface that this share of the lamp (x) and of the sky (y) reaches. x: times its colour, y: white.
vec2 lit(vec2 open, vec3 place, vec3 normal)
{
    vec3 to_eye = normalize(eye - place);
    float falls = lamp_light * max(dot(normal, lamp_way), 0.0) * open.x
        + sky_light * (0.5 + 0.5 * dot(normal, up)) * open.y + unshadowed(normal, to_eye);
    float gloss = 0.10 * open.x * pow(max(dot(normal, normalize(to_eye + lamp_way)), 0.0), 40.0);
    float rim = 0.10 * pow(1.0 - max(dot(normal, to_eye), 0.0), 4.0);
    return vec2(falls, gloss + rim * falls);
}

// The same, of whatever share does.
vec2 light(vec3 place, vec3 normal);
)";

const char* const light_table = R"(
const int most_lights = 80;
uniform int lights, lamp_lights;         // the first lamp_lights are of the lamp
uniform vec4 light_way[most_lights];     // xyz towards the light, w its weight
uniform mat4 light_clip[most_lights];    // world to the shadow map's [0,1]^3
)";

const char* const many_lights = R"(
uniform float lamp_texel, sky_texel;     // of the shadow maps, in metres
layout(binding = 0) uniform sampler2DArrayShadow lamp_maps;
layout(binding = 1) uniform sampler2DArrayShadow sky_maps;

// Of the lights from the one to the other: the share of their light that reaches the place.
float reached(sampler2DArrayShadow maps, float texel, int first_map, int from, int to, int step, vec3 place, vec3 normal)
{
    float sum = 0.0, all = 0.0;
    for (int i = from; i < to; i += step) {
        float facing = max(dot(normal, light_way[i].xyz), 0.0);
        // the flatter the light, the further from the surface its own shadow must be asked for
        vec3 away = place + normal * texel * (0.7 + 1.3 * sqrt(max(1.0 - facing * facing, 0.0)));
        vec3 map = (light_clip[i] * vec4(away, 1.0)).xyz;
        sum += facing * light_way[i].w * texture(maps, vec4(map.xy, float(i - first_map), map.z));
        all += facing * light_way[i].w;
    }
    return sum / max(all, 1e-6);
}

// x: share of the lamp, y: of the sky, by every `step`th light from the `first` on
vec2 reached_by(int first, int step, vec3 place, vec3 normal)
{
    return vec2(reached(lamp_maps, lamp_texel, 0, first, lamp_lights, step, place, normal),
        reached(sky_maps, sky_texel, lamp_lights, lamp_lights + first, lights, step, place, normal));
}
)";

const char* const light_of_all = R"(
vec2 light(vec3 place, vec3 normal) { return lit(reached_by(0, 1, place, normal), place, normal); }
)";

const char* const seen_surfaces = R"(
uniform float pixel;                     // side of a pixel at the distance 1
layout(binding = 2) uniform sampler2D places;
layout(binding = 3) uniform sampler2D normals; // 0: nothing is seen, or it needs no light

// 0 where another surface is seen
float alike(vec3 place, vec3 normal, ivec2 at)
{
    float off = abs(dot(normal, texelFetch(places, at, 0).xyz - place));
    float turned = dot(normal, texelFetch(normals, at, 0).xyz);
    return off < 2.0 * pixel * distance(eye, place) ? max(turned - 0.5, 0.0) : 0.0;
}
)";

const char* const screen_vertex = R"(
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }
)";

// Four pixels side by side share the lights out among them.
const char* const sampled_light_fragment = R"(
out vec2 result;
void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 normal = texelFetch(normals, 2 * here, 0).xyz, place = texelFetch(places, 2 * here, 0).xyz;
    int steps = dot(normal, normal) < 0.5 ? 1000 : 4; // as many as leave no light
    result = reached_by((here.x & 1) + 2 * (here.y & 1) + (steps > 4 ? steps : 0), steps, place, normal);
}
)";

// Weights with which each of the four counts the same.
const char* const smoothed_light_fragment = R"(
layout(binding = 4) uniform sampler2D sampled;
out vec2 result;
void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 normal = texelFetch(normals, 2 * here, 0).xyz, place = texelFetch(places, 2 * here, 0).xyz;
    vec3 known = vec3(0.0); // light, and its weight
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            ivec2 other = clamp(here + ivec2(i, j), ivec2(0), textureSize(sampled, 0) - 1);
            float weight = alike(place, normal, 2 * other) * float((2 - abs(i)) * (2 - abs(j)));
            known += weight * vec3(texelFetch(sampled, other, 0).xy, 1.0);
        }
    result = known.xy / max(known.z, 1e-6);
}
)";

const char* const light_fragment = R"(
layout(binding = 4) uniform sampler2D every_other;
out vec3 result; // z: whether a neighbour shows another surface
void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 normal = texelFetch(normals, here, 0).xyz, place = texelFetch(places, here, 0).xyz;
    result = vec3(0.0, 0.0, 1.0);
    if (dot(normal, normal) < 0.5)
        return;
    vec3 known = vec3(0.0); // light, and its weight
    for (int j = 0; j <= (here.y & 1); ++j)
        for (int i = 0; i <= (here.x & 1); ++i) {
            ivec2 other = min(here / 2 + ivec2(i, j), textureSize(every_other, 0) - 1);
            known += alike(place, normal, 2 * other) * vec3(texelFetch(every_other, other, 0).xy, 1.0);
        }
    int none = known.z > 0.0 ? 1000 : 0; // as many as leave no light to ask
    vec2 open = reached_by(none, 1, place, normal);
    result.xy = lit(known.z > 0.0 ? known.xy / known.z : open, place, normal);
    ivec2 before = max(here - 1, ivec2(0)), behind = min(here + 1, textureSize(places, 0) - 1);
    float same = min(min(alike(place, normal, ivec2(before.x, here.y)), alike(place, normal, ivec2(behind.x, here.y))),
        min(alike(place, normal, ivec2(here.x, before.y)), alike(place, normal, ivec2(here.x, behind.y))));
    result.z = same > 0.0 ? 0.0 : 1.0;
}
)";

// At outlines a pixel shows more than one surface: what of it is not seen first is as light as it is beside it, or,
// where it is not seen there, as what is before it.
const char* const light_of_seen = R"(
layout(binding = 5) uniform sampler2D light_seen; // z: 1 at outlines

vec2 light(vec3 place, vec3 normal)
{
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 first = texelFetch(light_seen, here, 0).xyz;
    bool is_first = alike(place, normal, here) > 0.0;
    vec3 known = is_first ? vec3(first.xy, 1.0) : vec3(0.0);
    int reach = is_first || first.z < 0.5 ? -1 : 1; // without a look at its neighbours: what is hidden, too
    for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i) {
            ivec2 other = clamp(here + ivec2(i, j), ivec2(0), textureSize(light_seen, 0) - 1);
            known += alike(place, normal, other) * vec3(texelFetch(light_seen, other, 0).xy, 1.0);
        }
    vec2 other = first.x > 0.0 ? first.xy : vec2(0.5 + 0.5 * dot(normal, up), 0.0);
    return known.z > 0.0 ? known.xy / known.z : other;
}
)";

const char* const ball_hit = R"(
// Of a ball (xyz its centre, w its radius): where the ray from the eye meets it, and how far it passes by the centre.
struct Hit { vec3 place, normal; float miss; };
Hit hit(vec4 ball, vec3 corner)
{
    vec3 ray = normalize(corner - eye), from = eye - ball.xyz;
    vec3 nearest = from - dot(from, ray) * ray;
    float miss = length(nearest);
    vec3 normal = normalize(nearest - sqrt(max(ball.w * ball.w - miss * miss, 0.0)) * ray);
    return Hit(ball.xyz + ball.w * normal, normal, miss);
}
float depth_of(vec3 place)
{
    vec4 projected = clip * vec4(place, 1.0);
    return 0.5 * projected.z / projected.w + 0.5;
}
)";

const char* const mesh_vertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
layout(location = 2) in vec3 paint;
layout(location = 3) in float solid;
out vec3 place, normal, colour;
out float opacity;
void main()
{
    opacity = solid;
    place = position;
    normal = direction;
    colour = paint;
    gl_Position = clip * vec4(position, 1.0);
}
)";

const char* const mesh_fragment = R"(
in vec3 place, normal, colour;
in float opacity;
uniform float unlit; // 1: of marks, which no shadow falls on
out vec4 result;
void main()
{
    vec3 n = normalize(normal);
    vec3 plain = colour * (0.55 + 0.45 * abs(dot(n, normalize(eye - place))));
    vec2 falls = unlit > 0.5 ? vec2(0.0) : light(place, gl_FrontFacing ? n : -n);
    result = vec4(unlit > 0.5 ? plain : colour * falls.x + falls.y, opacity);
}
)";

// A square towards the eye that just covers the ball; the ray through each pixel finds the place on it.
const char* const sphere_vertex = R"(
layout(location = 0) in vec4 ball;
layout(location = 1) in vec3 paint;
layout(location = 2) in float solid;
uniform vec3 above;
flat out vec4 sphere;
flat out vec3 colour;
flat out float opacity;
out vec3 corner;
void main()
{
    vec2 side = vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1) * 2.0 - 1.0;
    vec3 to_eye = eye - ball.xyz;
    float far = length(to_eye);
    vec3 a = normalize(cross(above, to_eye)), b = cross(to_eye / far, a);
    float reach = 1.08 * ball.w / sqrt(max(1.0 - ball.w * ball.w / (far * far), 0.05));
    sphere = ball;
    colour = paint;
    opacity = solid;
    corner = ball.xyz + reach * (side.x * a + side.y * b);
    gl_Position = clip * vec4(corner, 1.0);
}
)";

const char* const sphere_fragment = R"(
flat in vec4 sphere;
flat in vec3 colour;
flat in float opacity;
in vec3 corner;
out vec4 result;
void main()
{
    Hit at = hit(sphere, corner);
    float cover = clamp((sphere.w - at.miss) / fwidth(at.miss) + 0.5, 0.0, 1.0);
    if (cover <= 0.0)
        discard;
    gl_FragDepth = depth_of(at.place);
    // a smooth outline: as many samples as the ball covers, each of them opaque
    gl_SampleMask[0] = (1 << int(cover * float(gl_NumSamples) + 0.5)) - 1;
    vec2 falls = light(at.place, at.normal);
    result = vec4(colour * falls.x + falls.y, opacity);
}
)";

const char* const plane_vertex = R"(
uniform vec3 origin, along, across;
uniform float extent;
out vec3 place;
void main()
{
    vec2 side = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    place = origin + extent * (side.x * along + side.y * across);
    gl_Position = clip * vec4(place, 1.0);
}
)";

// The ground of the replay page: a faint grid that fades into the background.
const char* const plane_fragment = R"(
in vec3 place;
uniform vec3 grid_origin, along, across, plane_normal, surface, grid, background, fade_centre;
uniform float spacing, fade_radius, grid_strength;
uniform float only_shadow; // 1: nothing else of the plane is drawn
out vec4 result;

float grid_line(vec2 at, float width)
{
    vec2 span = fwidth(at);
    vec2 off = abs(fract(at - 0.5) - 0.5);
    vec2 line = 1.0 - smoothstep(span * (width - 0.5), span * (width + 0.5), off);
    line *= 1.0 - smoothstep(vec2(0.15), vec2(0.45), span); // would shimmer closer than that
    return max(line.x, line.y);
}

void main()
{
    float away = length(place - fade_centre) / fade_radius;
    float fade = 1.0 - smoothstep(0.3, 1.0, away);
    vec3 to_eye = normalize(eye - place);
    vec3 normal = dot(plane_normal, to_eye) < 0.0 ? -plane_normal : plane_normal;
    vec2 at = vec2(dot(place - grid_origin, along), dot(place - grid_origin, across)) / spacing;
    float line = max(0.4 * grid_line(at, 0.5), 0.9 * grid_line(at / 5.0, 0.75));
    vec3 colour = mix(surface, grid, grid_strength * line);
    float dark = 1.0;
    if (length(place - stage.xyz) < stage.w)
        dark = light(place, normal).x / lit(vec2(1.0), place, normal).x;
    result = only_shadow > 0.5 ? vec4(vec3(0.0), clamp(1.0 - dark, 0.0, 1.0) * fade)
                               : vec4(mix(background, colour * dark, fade), 1.0);
}
)";

const char* const mesh_surface_fragment = R"(
in vec3 place, normal;
layout(location = 0) out vec4 seen_place;
layout(location = 1) out vec4 seen_normal;
void main()
{
    vec3 n = normalize(normal);
    seen_place = vec4(place, 1.0);
    seen_normal = vec4(gl_FrontFacing ? n : -n, 1.0);
}
)";

const char* const sphere_surface_fragment = R"(
flat in vec4 sphere;
in vec3 corner;
layout(location = 0) out vec4 seen_place;
layout(location = 1) out vec4 seen_normal;
void main()
{
    Hit at = hit(sphere, corner);
    if (at.miss > sphere.w)
        discard;
    gl_FragDepth = depth_of(at.place);
    seen_place = vec4(at.place, 1.0);
    seen_normal = vec4(at.normal, 1.0);
}
)";

const char* const plane_surface_fragment = R"(
in vec3 place;
uniform vec3 plane_normal;
layout(location = 0) out vec4 seen_place;
layout(location = 1) out vec4 seen_normal;
void main()
{
    bool is_near = length(place - stage.xyz) < stage.w;
    seen_place = vec4(place, 1.0);
    seen_normal = is_near ? vec4(dot(plane_normal, eye - place) < 0.0 ? -plane_normal : plane_normal, 1.0) : vec4(0.0);
}
)";

const char* const mesh_shadow_vertex = R"(
layout(location = 0) in vec3 position;
uniform int which;
void main() { gl_Position = vec4((light_clip[which] * vec4(position, 1.0)).xyz * 2.0 - 1.0, 1.0); }
)";

const char* const mesh_shadow_fragment = "void main() {}\n";

const char* const sphere_shadow_vertex = R"(
layout(location = 0) in vec4 ball;
uniform int which;
out vec2 side;
flat out float radius_in_depth, centre_depth;
const vec2 around_circle[4] = {vec2(0.0, 2.0), vec2(-1.7320508, -1.0), vec2(1.7320508, -1.0), vec2(0.0)}; // the last: not used
void main()
{
    side = around_circle[gl_VertexID & 3];
    mat4 m = light_clip[which];
    vec3 centre = (m * vec4(ball.xyz, 1.0)).xyz * 2.0 - 1.0;
    float scale = 2.0 * length(vec3(m[0].x, m[1].x, m[2].x)) * ball.w;
    radius_in_depth = length(vec3(m[0].z, m[1].z, m[2].z)) * ball.w;
    centre_depth = 0.5 * centre.z + 0.5;
    gl_Position = vec4(centre.xy + scale * side, centre.z, 1.0);
}
)";

const char* const sphere_shadow_fragment = R"(
in vec2 side;
flat in float radius_in_depth, centre_depth;
void main()
{
    float r2 = dot(side, side);
    if (r2 > 1.0)
        discard;
    gl_FragDepth = centre_depth - radius_in_depth * sqrt(1.0 - r2);
}
)";

} // namespace stickslip::shaders
