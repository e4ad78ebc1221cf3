#include "stickslip/scene/table/copies_table.h"

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
            reading.expected(node, words());
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

KindPtr<Bounds> scatter_box_kind()
{
    return object<Bounds>("scatter_box", "A box with edges along the world's axes, relative to the body's `position`.",
        {
            required("min", &Bounds::min, vector(), "lowest corner").unit("m"),
            required("max", &Bounds::max, vector(), "highest corner").unit("m"),
        });
}

ObjectKind<ScatteredCopies> scattered_copies()
{
    using S = ScatteredCopies;
    return ObjectKind<S>("scattered_copies", "",
        {whole("scattered",
            object<S>("scattered",
                "At random places in a box, so that no two overlap at the start: judged by their bounding boxes, balls "
                "by "
                "themselves. Other bodies are not looked at.",
                {
                    required("count", &S::count, integer(1, most), "how many"),
                    required("box", &S::box, scatter_box_kind(), "holds the bodies wholly"),
                    optional("seed", &S::seed, integer(0, 1000000000), "another seed, another arrangement"),
                    optional("turned", &S::turned, boolean(), "each at random, after the body's own `rotation`"),
                }),
            "at random in a box")});
}

} // namespace

KindPtr<Copies> copies_kind()
{
    const KindPtr<std::array<int, 3>> counts = std::make_shared<CountsKind>();
    const KindPtr<GridCopies> grid = object<GridCopies>("grid",
        "Rows along the world's axes; the first where the body is placed. Counted along x first, then y, then z.",
        {
            required("count", &GridCopies::count, counts, "how many along x, y, z"),
            required("spacing", &GridCopies::spacing, vector(), "from one to the next along x, y, z").unit("m"),
        });
    const KindPtr<StackCopies> stack = object<StackCopies>("stack",
        "One beyond the other, the first where the body is placed: each by the extent of the body's bounding box along "
        "`axis`, and the gap.",
        {
            required("count", &StackCopies::count, integer(1, most), "how many"),
            optional("gap", &StackCopies::gap, number(at_least(0)), "0: just touching").unit("m"),
            optional("axis", &StackCopies::axis, vector(any_number(), true), "of any length, in the world's axes"),
        });
    const KindPtr<RingCopies> ring = object<RingCopies>("ring",
        "Around the place of the body, each turned with its place on the ring. The first is towards x (towards z where "
        "the axis is nearly x). Velocities are not turned.",
        {
            required("count", &RingCopies::count, integer(1, most), "how many"),
            required("radius", &RingCopies::radius, number(above(0)), "from the axis to the origins of the bodies")
                .unit("m"),
            optional("axis", &RingCopies::axis, vector(any_number(), true), "of any length, in the world's axes"),
        });
    using Choice = VariantKind<GridCopies, StackCopies, RingCopies, ScatteredCopies>;
    return std::make_shared<Choice>("copies",
        "Many bodies from one: they are named `brick[0]`, `brick[1]`, ... Their common name stands for all of them in "
        "`pairs`, `expect` and overrides. All else is as the body says; regions of `fix` do not move along.",
        ObjectKind<GridCopies>("grid_copies", "", {whole("grid", grid, "rows along the axes")}),
        ObjectKind<StackCopies>("stack_copies", "", {whole("stack", stack, "one on the other")}),
        ObjectKind<RingCopies>("ring_copies", "", {whole("ring", ring, "around an axis")}), scattered_copies());
}

} // namespace stickslip
