#include "stickslip/render/renderer.h"

#include "stickslip/math/check.h"
#include "stickslip/render/gl_context.h"
#include "stickslip/render/gl_objects.h"
#include "stickslip/render/hidden_balls.h"
#include "stickslip/render/light_rig.h"
#include "stickslip/render/shaders.h"
#include "stickslip/render/vertex_list.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace stickslip {

namespace {

constexpr int samples = 4;
// Pixels of a side of the shadow maps. Coarse maps blur: the steps between the many shadows must not be seen.
constexpr int lamp_size = 512, sky_size = 256;
constexpr double shadow_reach = 1.7, shadow_depth = 3; // radii of the stage
constexpr double ground_reach = 4.5; // radii of the stage at which the ground has faded out
constexpr double grid_lines = 3; // about so many a radius of the stage

/// 1, 2 or 5 times a power of ten, not larger than `length`.
double round_length(double length)
{
    const double power = std::pow(10.0, std::floor(std::log10(length)));
    return power * (length / power >= 5 ? 5 : length / power >= 2 ? 2 : 1);
}

/// World to [0, 1]^3 of a shadow map, not mirrored: what turns towards the light is seen counterclockwise.
Eigen::Matrix4f light_matrix(const Light& light, const StageSettings& stage)
{
    const Mat3 axes = upright_axes(light.direction); // the light is along the second
    const double r = shadow_reach * stage.radius, d = shadow_depth * stage.radius;
    Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
    m.block<1, 3>(0, 0) = axes.col(0).transpose() / (2 * r);
    m.block<1, 3>(1, 0) = -axes.col(2).transpose() / (2 * r);
    m.block<1, 3>(2, 0) = -axes.col(1).transpose() / (2 * d);
    m.topRightCorner<3, 1>() = Vec3::Constant(0.5) - m.topLeftCorner<3, 3>() * stage.centre;
    return m.cast<float>();
}

/// Takes the fourth bytes out; what they cover is no longer darkened by them.
void split_alpha(Picture& picture)
{
    const std::vector<std::uint8_t> rgba = std::move(picture.rgb);
    picture.rgb.clear();
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        const float cover = rgba[i + 3] / 255.0f;
        for (std::size_t c = 0; c < 3; ++c)
            picture.rgb.push_back(
                cover > 0 && cover < 1 ? to_srgb_byte(from_srgb_byte(rgba[i + c]) / cover) : rgba[i + c]);
        picture.alpha.push_back(rgba[i + 3]);
    }
}

void make_shadow_maps(GLuint maps, int size, int count)
{
    glTextureStorage3D(maps, 1, GL_DEPTH_COMPONENT16, size, size, count);
    glTextureParameteri(maps, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTextureParameteri(maps, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glTextureParameteri(maps, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(maps, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(maps, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTextureParameteri(maps, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    const float lit[] = {1, 1, 1, 1};
    glTextureParameterfv(maps, GL_TEXTURE_BORDER_COLOR, lit);
}

} // namespace

struct Renderer::Graphics {
    /// A vertex list on the graphics side.
    struct Triangles {
        GlVertexArray array;
        GlBuffer vertices;
        struct List {
            GlBuffer indices;
            GLsizei count = 0;

            void fill(const std::vector<Triangle>& triangles)
            {
                count = 3 * static_cast<GLsizei>(triangles.size());
                glNamedBufferData(indices, static_cast<GLsizeiptr>(triangles.size() * sizeof(Triangle)),
                    triangles.data(), GL_STREAM_DRAW);
            }
        };
        List all, for_lamp, for_sky; // the latter two: what casts shadows

        /// Attributes of `sizes` floats each, one after the other.
        void fill(const VertexList& list, std::initializer_list<int> sizes)
        {
            GLsizei stride = 0;
            for (const int size : sizes)
                stride += size;
            all.fill(list.triangles);
            for_lamp.fill(list.for_lamp);
            for_sky.fill(list.for_sky);
            glNamedBufferData(vertices, static_cast<GLsizeiptr>(list.numbers.size() * sizeof(float)),
                list.numbers.data(), GL_STREAM_DRAW);
            glVertexArrayVertexBuffer(array, 0, vertices, 0, stride * static_cast<GLsizei>(sizeof(float)));
            GLuint attribute = 0, offset = 0;
            for (const int size : sizes) {
                glEnableVertexArrayAttrib(array, attribute);
                glVertexArrayAttribFormat(array, attribute, size, GL_FLOAT, GL_FALSE, offset);
                glVertexArrayAttribBinding(array, attribute, 0);
                offset += static_cast<GLuint>(size) * sizeof(float);
                ++attribute;
            }
        }

        void draw(const List& list) const
        {
            glVertexArrayElementBuffer(array, list.indices);
            glBindVertexArray(array);
            glDrawElements(GL_TRIANGLES, list.count, GL_UNSIGNED_INT, nullptr);
        }
    };

    GlContext context; // first in, last out
    int width, height;
    StageSettings stage;
    GlProgram mesh{{shaders::common, shaders::mesh_vertex},
        {shaders::common, shaders::seen_surfaces, shaders::light_of_seen, shaders::mesh_fragment}};
    GlProgram sphere{{shaders::common, shaders::sphere_vertex},
        {shaders::common, shaders::seen_surfaces, shaders::light_of_seen, shaders::ball_hit, shaders::sphere_fragment}};
    GlProgram plane{{shaders::common, shaders::plane_vertex},
        {shaders::common, shaders::seen_surfaces, shaders::light_of_seen, shaders::plane_fragment}};
    GlProgram see_through{{shaders::common, shaders::mesh_vertex},
        {shaders::common, shaders::light_table, shaders::many_lights, shaders::light_of_all, shaders::mesh_fragment}};
    GlProgram see_through_sphere{{shaders::common, shaders::sphere_vertex},
        {shaders::common, shaders::light_table, shaders::many_lights, shaders::light_of_all, shaders::ball_hit,
            shaders::sphere_fragment}};
    GlProgram mesh_surface{{shaders::common, shaders::mesh_vertex}, {shaders::common, shaders::mesh_surface_fragment}};
    GlProgram sphere_surface{{shaders::common, shaders::sphere_vertex},
        {shaders::common, shaders::ball_hit, shaders::sphere_surface_fragment}};
    GlProgram plane_surface{
        {shaders::common, shaders::plane_vertex}, {shaders::common, shaders::plane_surface_fragment}};
    GlProgram sampled_light{{shaders::common, shaders::screen_vertex},
        {shaders::common, shaders::light_table, shaders::many_lights, shaders::seen_surfaces,
            shaders::sampled_light_fragment}};
    GlProgram smoothed_light{{shaders::common, shaders::screen_vertex},
        {shaders::common, shaders::seen_surfaces, shaders::smoothed_light_fragment}};
    GlProgram every_light{{shaders::common, shaders::screen_vertex},
        {shaders::common, shaders::light_table, shaders::many_lights, shaders::seen_surfaces, shaders::light_fragment}};
    GlProgram mesh_shadow{{shaders::common, shaders::light_table, shaders::mesh_shadow_vertex},
        {shaders::common, shaders::mesh_shadow_fragment}};
    GlProgram sphere_shadow{{shaders::common, shaders::light_table, shaders::sphere_shadow_vertex},
        {shaders::common, shaders::sphere_shadow_fragment}};
    GlFramebuffer target, resolved, shadow_target, seen_target, sampled_target, smoothed_target, light_target;
    GlRenderbuffer colour, depth, resolved_colour, seen_depth;
    GlTextureArray lamp_maps, sky_maps;
    GlTexture places, normals, light_sampled, light_smoothed, light_seen; // of what is seen first in each pixel
    Triangles solids, sheets, balls, marks; // solids: closed
    Triangles glass, glass_balls; // not opaque, the farthest first
    std::vector<DrawnSphere> opaque_spheres; // those of `balls`
    GlVertexArray no_vertices;

    Graphics(int w, int h, const StageSettings& s);
    void set_lights();
    void upload(const DrawnFrame& frame, const Vec3& eye);
    void draw_shadow_maps();
    Eigen::Matrix4f set_camera(const Camera& camera); // world to clip space
    void leave_out_hidden(const Eigen::Matrix4f& clip);
    void draw_meshes(Triangles::List Triangles::*list);
    void draw_bodies(const GlProgram& of_meshes, const GlProgram& of_balls);
    void draw_light();
    void draw_plane(const GlProgram& program, const DrawnPlane& shown, bool with_grid);
    void draw(const DrawnFrame& frame, const Camera& camera);
    void draw_planes(const GlProgram& program, const DrawnFrame& frame, const Vec3& eye);
    void draw_glass();
    void draw_marks();
    Picture read_back();

    /// Side of a pixel of a shadow map [m].
    double texel(int size) const { return 2 * shadow_reach * stage.radius / size; }
};

Renderer::Graphics::Graphics(int w, int h, const StageSettings& s)
    : width(w)
    , height(h)
    , stage(s)
{
    glNamedRenderbufferStorageMultisample(colour, samples, GL_SRGB8_ALPHA8, w, h);
    glNamedRenderbufferStorageMultisample(depth, samples, GL_DEPTH_COMPONENT32F, w, h);
    glNamedFramebufferRenderbuffer(target, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    glNamedFramebufferRenderbuffer(target, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glNamedRenderbufferStorage(resolved_colour, GL_SRGB8_ALPHA8, w, h);
    glNamedFramebufferRenderbuffer(resolved, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, resolved_colour);
    make_shadow_maps(lamp_maps, lamp_size, stage.lamp_lights);
    make_shadow_maps(sky_maps, sky_size, stage.sky_lights);
    glNamedFramebufferDrawBuffer(shadow_target, GL_NONE);
    glTextureStorage2D(places, 1, GL_RGBA32F, w, h);
    glTextureStorage2D(normals, 1, GL_RGBA16F, w, h);
    for (const GLuint half : {GLuint(light_sampled), GLuint(light_smoothed)})
        glTextureStorage2D(half, 1, GL_RG16F, (w + 1) / 2, (h + 1) / 2);
    glTextureStorage2D(light_seen, 1, GL_RGBA16F, w, h);
    glNamedRenderbufferStorage(seen_depth, GL_DEPTH_COMPONENT32F, w, h);
    glNamedFramebufferTexture(seen_target, GL_COLOR_ATTACHMENT0, places, 0);
    glNamedFramebufferTexture(seen_target, GL_COLOR_ATTACHMENT1, normals, 0);
    glNamedFramebufferRenderbuffer(seen_target, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, seen_depth);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glNamedFramebufferDrawBuffers(seen_target, 2, both);
    glNamedFramebufferTexture(sampled_target, GL_COLOR_ATTACHMENT0, light_sampled, 0);
    glNamedFramebufferTexture(smoothed_target, GL_COLOR_ATTACHMENT0, light_smoothed, 0);
    glNamedFramebufferTexture(light_target, GL_COLOR_ATTACHMENT0, light_seen, 0);
    const GLuint textures[] = {lamp_maps, sky_maps, places, normals, 0, 0}; // the last two while they are read
    glBindTextures(0, 6, textures);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    set_lights();
}

void Renderer::Graphics::set_lights()
{
    const double reach = shadow_reach * stage.radius;
    const Eigen::Vector3f centre = stage.centre.cast<float>();
    std::vector<Eigen::Vector4f> ways;
    std::vector<Eigen::Matrix4f> matrices;
    double lamp_light = 0, sky_light = 0;
    for (const Light& light : studio_lights(stage.up, stage.lamp_lights, stage.sky_lights)) {
        ways.emplace_back(light.direction.x(), light.direction.y(), light.direction.z(), light.weight);
        matrices.push_back(light_matrix(light, stage));
        const bool of_lamp = static_cast<int>(ways.size()) <= stage.lamp_lights;
        (of_lamp ? lamp_light : sky_light) += light.weight * (of_lamp ? 1 : light.direction.dot(stage.up));
    }
    for (const GlProgram* program :
        {&sampled_light, &every_light, &see_through, &see_through_sphere, &mesh_shadow, &sphere_shadow}) {
        program->set("light_clip", matrices);
        program->set("light_way", ways);
        program->set("lights", static_cast<int>(ways.size()));
        program->set("lamp_lights", stage.lamp_lights);
        program->set("lamp_texel", static_cast<float>(texel(lamp_size)));
        program->set("sky_texel", static_cast<float>(texel(sky_size)));
    }
    for (const GlProgram* program :
        {&mesh, &sphere, &plane, &see_through, &see_through_sphere, &plane_surface, &every_light}) {
        program->set("lamp_light", static_cast<float>(lamp_light));
        program->set("sky_light", static_cast<float>(sky_light));
        program->set("lamp_way", Eigen::Vector3f(ways.front().head<3>()));
        program->set("stage", Eigen::Vector4f(centre.x(), centre.y(), centre.z(), static_cast<float>(2 * reach)));
        program->set("up", Eigen::Vector3f(stage.up.cast<float>()));
    }
}

void Renderer::Graphics::upload(const DrawnFrame& frame, const Vec3& eye)
{
    VertexList closed, open, transparent, on_top;
    for (const DrawnMesh& body : frame.meshes)
        if (body.opacity < 1)
            append(transparent, body);
        else
            append_with_shadows(body.closed ? closed : open, body, texel(lamp_size), texel(sky_size));
    append(on_top, frame.marks);
    sort_by_distance(transparent, eye.cast<float>());
    solids.fill(closed, {3, 3, 3, 1});
    sheets.fill(open, {3, 3, 3, 1});
    glass.fill(transparent, {3, 3, 3, 1});
    marks.fill(on_top, {3, 3, 3, 1});
    std::vector<DrawnSphere> glass_spheres;
    opaque_spheres.clear();
    for (const DrawnSphere& ball : frame.spheres)
        (ball.opacity < 1 ? glass_spheres : opaque_spheres).push_back(ball);
    const auto distance = [&](const DrawnSphere& s) { return (s.centre - eye.cast<float>()).norm(); };
    std::ranges::stable_sort(glass_spheres, std::greater<>(), distance);
    balls.fill(squares_around(opaque_spheres), {4, 3, 1});
    glass_balls.fill(squares_around(glass_spheres), {4, 3, 1});
}

void Renderer::Graphics::draw_shadow_maps()
{
    glBindFramebuffer(GL_FRAMEBUFFER, shadow_target);
    glEnable(GL_DEPTH_CLAMP); // what is beyond the stage still casts its shadow
    for (int i = 0; i < stage.lamp_lights + stage.sky_lights; ++i) {
        const bool lamp = i < stage.lamp_lights;
        const int size = lamp ? lamp_size : sky_size;
        glViewport(0, 0, size, size);
        glNamedFramebufferTextureLayer(
            shadow_target, GL_DEPTH_ATTACHMENT, lamp ? lamp_maps : sky_maps, 0, lamp ? i : i - stage.lamp_lights);
        glClear(GL_DEPTH_BUFFER_BIT);
        mesh_shadow.set("which", i);
        mesh_shadow.use();
        draw_meshes(lamp ? &Triangles::for_lamp : &Triangles::for_sky);
        sphere_shadow.set("which", i);
        sphere_shadow.use();
        balls.draw(lamp ? balls.for_lamp : balls.for_sky);
    }
    glDisable(GL_DEPTH_CLAMP);
}

void Renderer::Graphics::draw_plane(const GlProgram& program, const DrawnPlane& shown, bool with_grid)
{
    const Vec3 normal = shown.axes.col(1);
    const Vec3 middle = stage.centre - normal.dot(stage.centre - shown.origin) * normal;
    const double reach = ground_reach * stage.radius;
    program.set("origin", Eigen::Vector3f(middle.cast<float>()));
    program.set("grid_origin", Eigen::Vector3f(shown.origin.cast<float>()));
    program.set("along", Eigen::Vector3f(shown.axes.col(0).cast<float>()));
    program.set("across", Eigen::Vector3f(shown.axes.col(2).cast<float>()));
    program.set("plane_normal", Eigen::Vector3f(normal.cast<float>()));
    program.set("fade_centre", Eigen::Vector3f(middle.cast<float>()));
    program.set("fade_radius", static_cast<float>(reach));
    program.set("extent", static_cast<float>(reach));
    program.set("spacing", static_cast<float>(round_length(stage.radius / grid_lines)));
    program.set("grid_strength", with_grid ? 0.6f : 0.0f);
    program.set("surface", with_grid ? from_srgb(0xe9ebef) : background_colour());
    program.set("grid", from_srgb(0x9aa3b2));
    program.set("background", background_colour());
    program.set("only_shadow", stage.transparent ? 1.0f : 0.0f);
    program.use();
    glBindVertexArray(no_vertices);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

Eigen::Matrix4f Renderer::Graphics::set_camera(const Camera& camera)
{
    const Eigen::Matrix4f clip =
        camera.projection(static_cast<double>(width) / height, stage.centre, 1.5 * ground_reach * stage.radius);
    for (const GlProgram* program : {&mesh, &sphere, &plane, &see_through, &see_through_sphere, &mesh_surface,
             &sphere_surface, &plane_surface, &sampled_light, &smoothed_light, &every_light}) {
        program->set("clip", clip);
        program->set("eye", Eigen::Vector3f(camera.eye.cast<float>()));
        program->set("above", Eigen::Vector3f(camera.axes().col(1).cast<float>()));
        program->set("pixel", static_cast<float>(2 * camera.half_height / height));
    }
    return clip;
}

// A ball costs each of its pixels alike, whether it is seen or not.
void Renderer::Graphics::leave_out_hidden(const Eigen::Matrix4f& clip)
{
    DepthPicture seen{
        width, height, std::vector<float>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
    glReadPixels(0, 0, width, height, GL_DEPTH_COMPONENT, GL_FLOAT, seen.depths.data());
    const std::vector<bool> in_sight = balls_in_sight(opaque_spheres, clip, seen);
    std::vector<Triangle> squares;
    for (std::size_t i = 0; i < opaque_spheres.size(); ++i)
        if (in_sight[i])
            append_square(static_cast<int>(i), squares);
    balls.all.fill(squares);
}

void Renderer::Graphics::draw_meshes(Triangles::List Triangles::*list)
{
    glEnable(GL_CULL_FACE);
    solids.draw(solids.*list);
    glDisable(GL_CULL_FACE);
    sheets.draw(sheets.*list);
}

void Renderer::Graphics::draw_bodies(const GlProgram& of_meshes, const GlProgram& of_balls)
{
    of_meshes.use();
    draw_meshes(&Triangles::all);
    of_balls.use();
    balls.draw(balls.all);
}

void Renderer::Graphics::draw(const DrawnFrame& frame, const Camera& camera)
{
    const Eigen::Matrix4f clip = set_camera(camera);
    glViewport(0, 0, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, seen_target);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_bodies(mesh_surface, sphere_surface);
    draw_planes(plane_surface, frame, camera.eye);
    if (!opaque_spheres.empty())
        leave_out_hidden(clip);
    draw_light();
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    const Colour back = stage.transparent ? Colour::Zero() : background_colour();
    glClearColor(back.x(), back.y(), back.z(), stage.transparent ? 0 : 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_bodies(mesh, sphere);
    draw_planes(plane, frame, camera.eye);
    draw_glass();
    draw_marks();
}

// The many shadow maps are asked for every other pixel, and besides only where it tells nothing of its neighbours.
void Renderer::Graphics::draw_light()
{
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(no_vertices);
    glBindTextureUnit(5, 0);
    const auto pass = [&](const GlProgram& program, GLuint read, GLuint write, int stride) {
        glBindTextureUnit(4, read);
        glBindFramebuffer(GL_FRAMEBUFFER, write);
        glViewport(0, 0, (width + stride - 1) / stride, (height + stride - 1) / stride);
        program.use();
        glDrawArrays(GL_TRIANGLES, 0, 3);
    };
    pass(sampled_light, 0, sampled_target, 2);
    pass(smoothed_light, light_sampled, smoothed_target, 2);
    pass(every_light, light_smoothed, light_target, 1);
    glBindTextureUnit(5, light_seen);
    glEnable(GL_DEPTH_TEST);
}

void Renderer::Graphics::draw_planes(const GlProgram& program, const DrawnFrame& frame, const Vec3& eye)
{
    for (const DrawnPlane& p : frame.planes) {
        const bool from_behind = p.axes.col(1).dot(eye - p.origin) < 0;
        if (!from_behind) // it would hide everything and show nothing
            draw_plane(program, p, true);
    }
    if (stage.own_ground)
        draw_plane(program, {.origin = stage.ground_height * stage.up, .axes = upright_axes(stage.up)}, false);
}

void Renderer::Graphics::draw_glass()
{
    if (glass.all.count + glass_balls.all.count == 0)
        return;
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    glEnable(GL_POLYGON_OFFSET_FILL); // what lies on a ground is before it, also where contact presses it in
    glPolygonOffset(-4, -64);
    see_through.use();
    glass.draw(glass.all);
    see_through_sphere.use();
    glass_balls.draw(glass_balls.all);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

void Renderer::Graphics::draw_marks()
{
    if (marks.all.count == 0)
        return;
    glClear(GL_DEPTH_BUFFER_BIT); // over all else, but one before the other
    mesh.set("unlit", 1.0f);
    mesh.use();
    marks.draw(marks.all);
    mesh.set("unlit", 0.0f);
}

Picture Renderer::Graphics::read_back()
{
    glBlitNamedFramebuffer(target, resolved, 0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, resolved);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    const auto row = static_cast<std::size_t>(width) * (stage.transparent ? 4 : 3);
    Picture picture{
        .width = width, .height = height, .rgb = std::vector<std::uint8_t>(row * static_cast<std::size_t>(height))};
    glReadPixels(0, 0, width, height, stage.transparent ? GL_RGBA : GL_RGB, GL_UNSIGNED_BYTE, picture.rgb.data());
    for (int y = 0; y < height / 2; ++y) // OpenGL counts rows from below
        std::swap_ranges(picture.rgb.begin() + static_cast<std::ptrdiff_t>(row) * y,
            picture.rgb.begin() + static_cast<std::ptrdiff_t>(row) * (y + 1),
            picture.rgb.begin() + static_cast<std::ptrdiff_t>(row) * (height - 1 - y));
    STICKSLIP_ASSERT(glGetError() == GL_NO_ERROR);
    if (stage.transparent)
        split_alpha(picture);
    return picture;
}

Renderer::Renderer(int width, int height, const StageSettings& stage)
    : graphics_(std::make_unique<Graphics>(width, height, stage))
{
}

Renderer::~Renderer() = default;

Picture Renderer::render(const DrawnFrame& frame, const Camera& camera)
{
    graphics_->upload(frame, camera.eye);
    graphics_->draw_shadow_maps();
    graphics_->draw(frame, camera);
    return graphics_->read_back();
}

} // namespace stickslip
