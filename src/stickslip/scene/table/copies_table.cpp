#include "stickslip/scene/table/body_table.h"

#include "stickslip/scene/table/scene_variant.h"
#include "stickslip/scene/table/table_words.h"

namespace stickslip {

namespace {

using namespace table;

constexpr int most = 50000; // copies of one body

/// [nx, ny, nz], each at least 1.
class CountsKind : public Kind<std::array<int, 3>> {
public:
    bool read(const SceneNode& node, Reading& reading, std::array<int, 3>& value) const override
    {
        if (!node.is_list() || node.items.size() != 3) {
            reading.fault(
                node.at, "expected " + words() + ", got " + found_text(node) + comma_hint(node, ListEntries::numbers));
            return false;
        }
        bool good = true;
        for (std::size_t i = 0; i < 3; ++i) {
            const Reading::Step step(reading, "[" + std::to_string(i) + "]");
            good = one_.read(node.items[i], reading, value[i]) && good;
        }
        return good;
    }
    std::optional<SceneNode> write(const std::array<int, 3>& value) const override
    {
        SceneNode node = SceneNode::list();
        for (const int count : value)
            node.items.push_back(SceneNode::scalar(std::to_string(count)));
        return node;
    }
    Json schema(Json& definitions) const override
    {
        return {{"type", "array"}, {"items", one_.schema(definitions)}, {"minItems", 3}, {"maxItems", 3}};
    }
    std::string words() const override { return "three whole numbers [x, y, z], each from 1"; }

private:
    IntegerKind one_{1, most};
};

constexpr const char* stones =
    "name: stone, kind: rigid, material: glass, position: [0, 0.025, 0], shape: {box: [0.1, 0.05, 0.1]}, ";

std::string copies_example(const std::string& copies)
{
    return body_example(stones + ("copies: " + copies));
}

KindPtr<Bounds> scatter_box_kind()
{
    return object<Bounds>(
        {"scatter_box", "A box with edges along the world axes, relative to the body's `position`.",
            copies_example("{scattered: {count: 5, box: {min: [-0.3, 0.1, -0.3], max: [0.3, 0.9, 0.3]}}}")},
        {
            required("min", &Bounds::min, vector(), "Lowest corner.").unit("m"),
            required("max", &Bounds::max, vector(), "Highest corner.").unit("m"),
        });
}

ObjectKind<ScatteredCopies> scattered_copies()
{
    using S = ScatteredCopies;
    return ObjectKind<S>({},
        {whole("scattered",
            object<S>(
                {"scattered",
                    "Random positions in a box. Copies do not overlap one another at the start: bounding boxes are "
                    "tested, spheres exactly. Overlap with other bodies is not checked.",
                    copies_example("{scattered: {count: 20, seed: 7, box: {min: [-1, 0, -1], max: [1, 2, 1]}}}")},
                {
                    required("count", &S::count, integer(1, most), "Number of copies."),
                    required("box", &S::box, scatter_box_kind(), "Contains the copies entirely."),
                    optional("seed", &S::seed, integer(0, 1000000000), "Seed of the random generator."),
                    optional(
                        "turned", &S::turned, boolean(), "Turns each copy at random, after the body's own `rotation`."),
                }),
            "Random positions in a box.")});
}

} // namespace

KindPtr<Copies> copies_kind()
{
    const KindPtr<std::array<int, 3>> counts = std::make_shared<CountsKind>();
    const KindPtr<GridCopies> grid = object<GridCopies>(
        {"grid",
            "Rows along the world axes, from the position of the body. The index counts along x first, then y, then z.",
            copies_example("{grid: {count: [4, 1, 3], spacing: [0.2, 0, 0.2]}}")},
        {
            required("count", &GridCopies::count, counts, "Number of copies along x, y and z."),
            required("spacing", &GridCopies::spacing, vector(), "Distance between neighbours along x, y and z.")
                .unit("m"),
        });
    const KindPtr<StackCopies> stack = object<StackCopies>(
        {"stack",
            "A column from the position of the body. The distance between neighbours is the extent of the body's "
            "bounding box along `axis`, plus `gap`.",
            copies_example("{stack: {count: 10, gap: 0.01, axis: [1, 0, 0]}}")},
        {
            required("count", &StackCopies::count, integer(1, most), "Number of copies."),
            optional("gap", &StackCopies::gap, number(at_least(0)), "Gap between neighbours. 0: they just touch.")
                .unit("m"),
            optional("axis", &StackCopies::axis, vector(any_number(), true), "Direction in world axes, of any length."),
        });
    const KindPtr<RingCopies> ring = object<RingCopies>(
        {"ring",
            "A circle around the position of the body. Each copy is turned by its angle on the circle. The first copy "
            "is in the direction of x (of z if `axis` is nearly x). Velocities are not turned.",
            copies_example("{ring: {count: 12, radius: 0.5}}")},
        {
            required("count", &RingCopies::count, integer(1, most), "Number of copies."),
            required("radius", &RingCopies::radius, number(above(0)), "From the axis to the origins of the copies.")
                .unit("m"),
            optional("axis", &RingCopies::axis, vector(any_number(), true), "Axis in world axes, of any length."),
        });
    using Choice = VariantKind<GridCopies, StackCopies, RingCopies, ScatteredCopies>;
    return std::make_shared<Choice>(
        SectionText{"copies",
            "Many bodies from one, named `brick[0]`, `brick[1]`, ... The family name `brick` means all of them in "
            "`pairs`, `expect` and overrides. All other keys of the body apply to each copy. Regions of `fix` and "
            "the centres of their rotation do not "
            "move with the copies.",
            copies_example("{stack: {count: 5, gap: 0.001}}")},
        ObjectKind<GridCopies>({}, {whole("grid", grid, "Rows along the axes.")}),
        ObjectKind<StackCopies>({}, {whole("stack", stack, "A column.")}),
        ObjectKind<RingCopies>({}, {whole("ring", ring, "A circle around an axis.")}), scattered_copies());
}

} // namespace stickslip
