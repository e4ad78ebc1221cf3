#include "support/contact_steps.h"
#include "support/patch_points.h"

namespace stickslip::ending_crease_test {
namespace {

/// A sheet of n x n squares with sides of 1 m in the plane y = 0.
TriMesh sheet(int n)
{
    TriMesh mesh;
    for (int i = 0; i <= n; ++i)
        for (int k = 0; k <= n; ++k)
            mesh.vertices.push_back(Vec3(i, 0, -k));
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            const int a = i * (n + 1) + k, b = a + n + 1;
            mesh.triangles.push_back({a, b, b + 1});
            mesh.triangles.push_back({a, b + 1, a + 1});
        }
    return mesh;
}

int facet_below(int n, const Vec3& Z)
{
    return 2 * (n * static_cast<int>(Z.x()) + static_cast<int>(-Z.z()));
}

/// How many lines from random places in a box, over a sheet of 8 x 8 squares, meet a jump of the force.
int jumps_of(const PatchView& surface, const Bounds& box, int lines, Random& random)
{
    int jumps = 0;
    for (int i = 0; i < lines; ++i) {
        Vec3 from;
        for (int k = 0; k < 3; ++k)
            from[k] = random.uniform(box.min[k], box.max[k]);
        const Vec3 way = random.vector(0.7);
        const int start = facet_below(8, from);
        const auto force_at = [&](double t) -> std::vector<Vec3> {
            const auto r = relax_on_patch(surface, point_at(from + t * way, start));
            return {r ? r->spring : Vec3::Zero()};
        };
        jumps += largest_jump(force_at) > 1e-6;
    }
    return jumps;
}

/// A ridge that rises from nothing to a fold of 127 degrees.
TEST(EndingCrease, LeavesTheForceWithoutAJump)
{
    TriMesh mesh = sheet(8);
    for (int k = 3; k <= 8; ++k)
        mesh.vertices[4 * 9 + k].y() = 0.4 * (k - 3);
    SmoothPatches patches(mesh);
    patches.update(mesh.vertices, 0.25);
    Random random(1);
    EXPECT_EQ(
        jumps_of({&patches, mesh.vertices, mesh.vertices}, {Vec3(3, -0.5, -5.5), Vec3(5, 0.1, -2.5)}, 400, random), 0);
}

} // namespace
} // namespace stickslip::ending_crease_test
