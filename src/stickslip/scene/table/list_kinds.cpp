#include "stickslip/scene/table/list_kinds.h"

#include "stickslip/scene/table/table_words.h"

namespace stickslip {

namespace {

using namespace table;

/// One number > 0 for all three, or three.
class ScaleKind : public Kind<Vec3> {
public:
    bool read(const SceneNode& node, Reading& reading, Vec3& value) const override
    {
        if (node.is_list())
            return three_->read(node, reading, value);
        double one = 0;
        if (!read_number(node, reading, above(0), one))
            return false;
        value = Vec3::Constant(one);
        return true;
    }
    std::optional<SceneNode> write(const Vec3& value) const override
    {
        const bool alike = value.x() == value.y() && value.y() == value.z();
        return alike ? SceneNode::scalar(number_text(value.x())) : three_->write(value);
    }
    Json schema(Json& definitions) const override
    {
        return {{"anyOf", Json::array({above(0).schema(), three_->schema(definitions)})}};
    }
    std::string words() const override { return "a number > 0, or " + three_->words(); }

private:
    KindPtr<Vec3> three_ = vector(above(0));
};

/// The name of a file, and where it stands.
class MeshPartKind : public Kind<MeshPart> {
public:
    bool read(const SceneNode& node, Reading& reading, MeshPart& value) const override
    {
        value.at = node.at;
        return file_.read(node, reading, value.file);
    }
    std::optional<SceneNode> write(const MeshPart& value) const override { return file_.write(value.file); }
    Json schema(Json& definitions) const override { return file_.schema(definitions); }
    std::string words() const override { return "file names"; }

private:
    TextKind file_{TextRule::file};
};

/// A list of names; an empty one is a value too.
class NamesKind : public Kind<std::vector<std::string>> {
public:
    bool read(const SceneNode& node, Reading& reading, std::vector<std::string>& value) const override
    {
        return list_.read(node, reading, value);
    }
    std::optional<SceneNode> write(const std::vector<std::string>& value) const override
    {
        return list_.write(value).value_or(SceneNode::list());
    }
    Json schema(Json& definitions) const override { return list_.schema(definitions); }
    std::string words() const override { return "a list of names"; }

private:
    ListKind<std::string> list_{text(TextRule::name), 0};
};

/// A list of words: x y z rx ry rz, each at most once.
class FixedDofsKind : public Kind<FixedDofs> {
public:
    bool read(const SceneNode& node, Reading& reading, FixedDofs& value) const override
    {
        if (!node.is_list()) {
            reading.expected(node, words());
            return false;
        }
        bool good = true;
        FixedDofs read{};
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Reading::Step step(reading, "[" + std::to_string(i) + "]");
            const int dof = read_choice(node.items[i], reading, names);
            if (dof >= 0 && read[dof])
                reading.fault(node.items[i].at, "given twice");
            good = good && dof >= 0 && !read[dof];
            if (dof >= 0)
                read[dof] = true;
        }
        if (good)
            value = read;
        return good;
    }
    std::optional<SceneNode> write(const FixedDofs& value) const override
    {
        SceneNode node = SceneNode::list();
        for (std::size_t i = 0; i < names.size(); ++i)
            if (value[i])
                node.items.push_back(SceneNode::quote(names[i])); // y alone is a boolean for readers of YAML 1.1
        return node;
    }
    Json schema(Json&) const override
    {
        return {{"type", "array"}, {"items", {{"enum", names}}}, {"uniqueItems", true}};
    }
    std::string words() const override { return "a list out of x, y, z, rx, ry, rz"; }

private:
    inline static const std::vector<std::string> names{"x", "y", "z", "rx", "ry", "rz"};
};

} // namespace

KindPtr<FixedDofs> fixed_dofs_kind()
{
    return std::make_shared<FixedDofsKind>();
}

KindPtr<Vec3> scale_kind()
{
    return std::make_shared<ScaleKind>();
}

KindPtr<LengthUnit> length_unit_kind()
{
    return choice<LengthUnit>({{"m", LengthUnit::metre}, {"cm", LengthUnit::centimetre}, {"mm", LengthUnit::millimetre},
        {"inch", LengthUnit::inch}, {"ft", LengthUnit::foot}});
}

KindPtr<std::vector<MeshPart>> mesh_parts_kind()
{
    return std::make_shared<ListKind<MeshPart>>(std::make_shared<MeshPartKind>(), 1);
}

KindPtr<std::vector<std::string>> names_kind()
{
    return std::make_shared<NamesKind>();
}

} // namespace stickslip
