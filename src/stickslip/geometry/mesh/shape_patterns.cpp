#include "stickslip/geometry/mesh/shape_patterns.h"

#include "stickslip/math/check.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace stickslip {

namespace {

using Weights = std::array<int, 3>;

/// Nodes of one shell: the lattice points (a, b, c) >= 0, a + b + c = m, of every patch, shared along edges and at
/// corners. Numbered without a table: corners, then edges, then the insides of the patches.
class Shells {
public:
    explicit Shells(const SpherePatches& patches)
        : patches_(patches)
    {
        for (const Triangle& f : patches.faces) {
            std::array<int, 3> edges;
            for (int i = 0; i < 3; ++i) { // edge i is opposite to corner i
                const auto ends = std::minmax(f[(i + 1) % 3], f[(i + 2) % 3]);
                edges[i] =
                    edge_ids_.try_emplace({ends.first, ends.second}, static_cast<int>(edge_ids_.size())).first->second;
            }
            face_edges_.push_back(edges);
        }
    }

    int count(int m) const
    {
        if (m == 0)
            return 1;
        const int faces = static_cast<int>(patches_.faces.size());
        return corner_count() + edge_count() * (m - 1) + faces * ((m - 1) * (m - 2) / 2);
    }

    int index(int m, int face, const Weights& w) const
    {
        if (m == 0)
            return 0;
        const Triangle& corners = patches_.faces[face];
        for (int i = 0; i < 3; ++i) {
            if (w[i] == m)
                return corners[i];
        }
        for (int i = 0; i < 3; ++i) {
            if (w[i] == 0) {
                const int j = (i + 1) % 3;
                const int k = (i + 2) % 3;
                const int steps = corners[j] < corners[k] ? w[k] : w[j]; // from the lower corner
                return corner_count() + face_edges_[face][i] * (m - 1) + steps - 1;
            }
        }
        const int inside = (m - 1) * (m - 2) / 2;
        const int row = w[0] - 1; // rows of m - 2, m - 3, ... nodes
        return corner_count() + edge_count() * (m - 1) + face * inside + row * (m - 2) - row * (row - 1) / 2 + w[1] - 1;
    }

    /// Corner weights sin(w/m 60 degrees): equal steps of angle along an edge of 60 degrees, and nearly so over a
    /// patch.
    Vec3 direction(int m, int face, const Weights& w) const
    {
        Vec3 sum = Vec3::Zero();
        for (int i = 0; i < 3; ++i)
            sum += std::sin(w[i] * (std::numbers::pi / 3) / m) * patches_.corners[patches_.faces[face][i]];
        return sum.normalized();
    }

    /// Calls visit(face, w) for all lattice points of shell m; points on shared edges come up once a patch.
    template <typename Visit>
    void for_each(int m, const Visit& visit) const
    {
        for (int face = 0; face < static_cast<int>(patches_.faces.size()); ++face) {
            for (int a = 0; a <= m; ++a) {
                for (int b = 0; a + b <= m; ++b)
                    visit(face, Weights{a, b, m - a - b});
            }
        }
    }

private:
    int corner_count() const { return static_cast<int>(patches_.corners.size()); }
    int edge_count() const { return static_cast<int>(edge_ids_.size()); }

    const SpherePatches& patches_;
    std::map<Edge, int> edge_ids_;
    std::vector<std::array<int, 3>> face_edges_;
};

/// The cones cut by the planes of a regular lattice fall into small tetrahedra, octahedra and upside-down tetrahedra.
class ConeCutter {
public:
    ConeCutter(const SpherePatches& patches, int n)
        : shells_(patches)
        , n_(n)
    {
        first_.push_back(0);
        for (int m = 0; m <= n; ++m)
            first_.push_back(first_.back() + shells_.count(m));
        mesh_.nodes.resize(first_.back());
        mesh_.nodes[0] = Vec3::Zero();
        for (int m = 1; m <= n; ++m) {
            const double radius = static_cast<double>(m) / n;
            shells_.for_each(m, [&](int face, const Weights& w) {
                mesh_.nodes[first_[m] + shells_.index(m, face, w)] = radius * shells_.direction(m, face, w);
            });
        }
    }

    TetMesh cut()
    {
        for (int m = 0; m < n_; ++m) { // q: lattice points at least one step away from the far ends
            shells_.for_each(m, [&](int face, const Weights& q) {
                add_upright(face, q);
                if (m <= n_ - 2)
                    add_octahedron(face, q);
                if (m <= n_ - 3)
                    add_upside_down(face, q);
            });
        }
        return std::move(mesh_);
    }

private:
    /// Node q + e_i + e_j + ..., where steps counts e_1, e_2, e_3 (e_0, towards the centre, does not change the
    /// weights).
    int node(int face, const Weights& q, int s1, int s2, int s3) const
    {
        const Weights w = {q[0] + s1, q[1] + s2, q[2] + s3};
        const int m = w[0] + w[1] + w[2];
        return first_[m] + shells_.index(m, face, w);
    }

    void add(Tetrahedron t)
    {
        if (tet_volume(mesh_.nodes, t) < 0)
            std::swap(t[2], t[3]);
        mesh_.tets.push_back(t);
    }

    void add_upright(int face, const Weights& q)
    {
        add({node(face, q, 0, 0, 0), node(face, q, 1, 0, 0), node(face, q, 0, 1, 0), node(face, q, 0, 0, 1)});
    }

    void add_upside_down(int face, const Weights& q)
    {
        add({node(face, q, 1, 1, 1), node(face, q, 0, 1, 1), node(face, q, 1, 0, 1), node(face, q, 1, 1, 0)});
    }

    /// Four tetrahedra around the one of its three diagonals that makes the worst of them best.
    void add_octahedron(int face, const Weights& q)
    {
        const int low[3] = {node(face, q, 1, 0, 0), node(face, q, 0, 1, 0), node(face, q, 0, 0, 1)};
        const int high[3] = {node(face, q, 0, 1, 1), node(face, q, 1, 0, 1), node(face, q, 1, 1, 0)}; // opposite to low
        int best = 0;
        double best_ratio = -1;
        for (int d = 0; d < 3; ++d) {
            double worst = 1;
            for (const Tetrahedron& t : around(low, high, d)) {
                const Tetrahedron turned = tet_volume(mesh_.nodes, t) < 0 ? Tetrahedron{t[0], t[1], t[3], t[2]} : t;
                worst = std::min(worst,
                    mean_ratio(mesh_.nodes[turned[0]], mesh_.nodes[turned[1]], mesh_.nodes[turned[2]],
                        mesh_.nodes[turned[3]]));
            }
            if (worst > best_ratio + 1e-9) { // ties do not hang on rounding
                best_ratio = worst;
                best = d;
            }
        }
        for (const Tetrahedron& t : around(low, high, best))
            add(t);
    }

    static std::array<Tetrahedron, 4> around(const int (&low)[3], const int (&high)[3], int d)
    {
        const int i = (d + 1) % 3;
        const int j = (d + 2) % 3;
        const int ring[4] = {low[i], low[j], high[i], high[j]};
        std::array<Tetrahedron, 4> tets;
        for (int k = 0; k < 4; ++k)
            tets[k] = {low[d], high[d], ring[k], ring[(k + 1) % 4]};
        return tets;
    }

    Shells shells_;
    int n_;
    std::vector<int> first_; // first node of each shell
    TetMesh mesh_;
};

} // namespace

DiscPattern disc_pattern(int n)
{
    STICKSLIP_ASSERT(n >= 1);
    DiscPattern disc;
    disc.nodes.push_back(Vec3::Zero());
    const auto ring = [](int k, int j) { return k == 0 ? 0 : 1 + 3 * k * (k - 1) + j % (6 * k); };
    for (int k = 1; k <= n; ++k) {
        for (int j = 0; j < 6 * k; ++j) {
            const double angle = 2 * std::numbers::pi * j / (6 * k);
            const double r = static_cast<double>(k) / n;
            disc.nodes.emplace_back(r * std::sin(angle), 0, r * std::cos(angle)); // z to x: counter-clockwise about y
        }
    }
    for (int k = 0; k < n; ++k) {
        for (int sector = 0; sector < 6; ++sector) {
            for (int j = 0; j <= k; ++j) {
                const int inner = sector * k + j;
                const int outer = sector * (k + 1) + j;
                disc.triangles.push_back({ring(k, inner), ring(k + 1, outer), ring(k + 1, outer + 1)});
                if (j < k)
                    disc.triangles.push_back({ring(k, inner), ring(k + 1, outer + 1), ring(k, inner + 1)});
            }
        }
    }
    return disc;
}

SpherePatches icosahedron_patches()
{
    SpherePatches p;
    const double height = 1 / std::sqrt(5.0); // of the two rings of five
    const double ring = 2 * height;
    p.corners.emplace_back(0, 1, 0);
    for (int i = 0; i < 10; ++i) { // alternating above and below the equator
        const double angle = std::numbers::pi * i / 5;
        p.corners.emplace_back(ring * std::sin(angle), i % 2 == 0 ? height : -height, ring * std::cos(angle));
    }
    p.corners.emplace_back(0, -1, 0);
    for (int i = 0; i < 10; i += 2) {
        const int above = 1 + i;
        const int below = 2 + i;
        const int next_above = 1 + (i + 2) % 10;
        const int next_below = 1 + (i + 3) % 10;
        p.faces.push_back({0, above, next_above});
        p.faces.push_back({above, below, next_above});
        p.faces.push_back({next_above, below, next_below});
        p.faces.push_back({11, next_below, below});
    }
    return p;
}

SpherePatches half_cuboctahedron_patches()
{
    SpherePatches p;
    for (int i = 0; i < 6; ++i) {
        const double angle = std::numbers::pi * i / 3;
        p.corners.emplace_back(std::sin(angle), 0, std::cos(angle));
    }
    for (int i = 0; i < 3; ++i) { // above the middle of every other side of the hexagon
        const double angle = std::numbers::pi * (2 * i + 0.5) / 3;
        p.corners.emplace_back(std::sin(angle) / std::sqrt(3.0), std::sqrt(2.0 / 3), std::cos(angle) / std::sqrt(3.0));
    }
    p.faces.push_back({6, 7, 8});
    for (int i = 0; i < 3; ++i) {
        const int top = 6 + i;
        const int next_top = 6 + (i + 1) % 3;
        const int a = 2 * i;
        const int b = a + 1;
        const int c = (a + 2) % 6;
        p.faces.push_back({top, a, b});
        p.faces.push_back({top, b, next_top}); // the square b, c, next_top, top
        p.faces.push_back({next_top, b, c});
    }
    return p;
}

TriMesh refine_patches(const SpherePatches& patches, int n)
{
    STICKSLIP_ASSERT(n >= 1);
    const Shells shells(patches);
    TriMesh mesh;
    mesh.vertices.resize(shells.count(n));
    shells.for_each(
        n, [&](int face, const Weights& w) { mesh.vertices[shells.index(n, face, w)] = shells.direction(n, face, w); });
    shells.for_each(n - 1, [&](int face, const Weights& q) {
        const auto at = [&](int s1, int s2, int s3) {
            return shells.index(n, face, {q[0] + s1, q[1] + s2, q[2] + s3});
        };
        mesh.triangles.push_back({at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)});
        if (q[0] > 0)
            mesh.triangles.push_back({at(0, 1, 0), at(-1, 1, 1), at(0, 0, 1)});
    });
    return mesh;
}

TetMesh refine_cones(const SpherePatches& patches, int n)
{
    STICKSLIP_ASSERT(n >= 1);
    return ConeCutter(patches, n).cut();
}

} // namespace stickslip
