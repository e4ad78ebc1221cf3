#include "stickslip/files/meshes/mesh_formats.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

namespace {

constexpr int gmsh_tetrahedron = 4;

/// Nodes of an element of Gmsh's type number; 0 if unknown.
int nodes_of(std::int64_t type)
{
    constexpr int table[] = {
        0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5, 6, 20, 35, 56};
    if (type >= 1 && type <= 31)
        return table[type];
    return type == 92 ? 64 : type == 93 ? 125 : 0;
}

bool is_curved_tetrahedron(std::int64_t type)
{
    return type == 11 || (type >= 29 && type <= 31);
}

/// The sections of one file, in the three versions that are about. Text and binary hold the same numbers in the same
/// order but for the elements of version 2.
class GmshReader {
public:
    explicit GmshReader(MeshInput& in)
        : in_(in)
    {
    }

    RawTets read()
    {
        read_format();
        for (std::string_view word = in_.word(); !word.empty(); word = in_.word()) {
            if (word[0] != '$')
                in_.fail("a section that begins with $");
            const std::string end = "$End" + std::string(word.substr(1));
            if (word == "$Nodes")
                read_section(&GmshReader::read_nodes);
            else if (word == "$Elements")
                read_section(&GmshReader::read_elements);
            else
                in_.skip_past(end);
            if (word == "$Nodes" || word == "$Elements")
                in_.expect(end);
        }
        if (tags_.empty())
            in_.fail("a section $Nodes", "none");
        return std::move(mesh_);
    }

private:
    enum class Version { v2, v40, v41 };

    void read_format()
    {
        in_.expect("$MeshFormat");
        const double version = in_.real(Scalar::f64, "a version number");
        if (version >= 2 && version < 3)
            version_ = Version::v2;
        else if (version >= 4 && version < 5)
            version_ = version < 4.05 ? Version::v40 : Version::v41;
        else
            in_.fail("Gmsh format version 2 or 4");
        const std::int64_t kind = in_.integer(Scalar::i32, "0 (text) or 1 (binary)");
        if (kind != 0 && kind != 1)
            in_.fail("0 (text) or 1 (binary)");
        const std::int64_t size = in_.integer(Scalar::i32, "a data size");
        if (size != 4 && size != 8)
            in_.fail("a data size of 4 or 8 bytes");
        size_type_ = size == 4 ? Scalar::u32 : Scalar::u64;
        binary_ = kind == 1;
        in_.line();
        if (binary_) { // the number one shows the byte order
            in_.set_binary(true);
            const std::int64_t one = in_.integer(Scalar::i32, "the number 1 that shows the byte order");
            if (one != 1 && one != 0x01000000)
                in_.fail("the number 1 that shows the byte order", std::to_string(one));
            big_endian_ = one != 1;
            in_.set_binary(false);
        }
        in_.expect("$EndMeshFormat");
    }

    /// Text around it, numbers of the file's kind inside.
    void read_section(void (GmshReader::*body)())
    {
        in_.line();
        if (version_ != Version::v2) // there the count is still text
            in_.set_binary(binary_, big_endian_);
        (this->*body)();
        in_.set_binary(false);
    }

    void read_nodes()
    {
        if (version_ == Version::v2) {
            const int count = in_.count(Scalar::i32, 4, Scalar::i32, "a number of nodes");
            in_.line();
            in_.set_binary(binary_, big_endian_);
            for (int i = 0; i < count; ++i) {
                add_tag(in_.integer(Scalar::i32, "a node number"));
                mesh_.nodes.push_back(in_.point(Scalar::f64));
            }
        } else {
            const Scalar wide = version_ == Version::v41 ? size_type_ : Scalar::u64;
            const int blocks = in_.count(wide, 4, Scalar::i32, "a number of blocks");
            in_.skip(version_ == Version::v41 ? 3 : 1, wide, "the number of nodes");
            for (int b = 0; b < blocks; ++b)
                read_node_block(wide);
        }
        sort_tags();
    }

    void read_node_block(Scalar wide)
    {
        const std::int64_t first = in_.integer(Scalar::i32, "an entity"); // 4.0: tag, dimension; 4.1: dimension, tag
        const std::int64_t second = in_.integer(Scalar::i32, "an entity");
        const std::int64_t dimension = version_ == Version::v41 ? first : second;
        if (dimension < 0 || dimension > 3)
            in_.fail("an entity of 0 to 3 dimensions", std::to_string(dimension));
        const bool parametric = in_.integer(Scalar::i32, "0 or 1 (parametric)") != 0;
        const int count = in_.count(wide, 4, Scalar::i32, "a number of nodes");
        const auto parameters = static_cast<std::size_t>(parametric ? dimension : 0);
        if (version_ == Version::v41) {
            for (int i = 0; i < count; ++i)
                add_tag(in_.integer(wide, "a node number"));
        }
        for (int i = 0; i < count; ++i) {
            if (version_ == Version::v40)
                add_tag(in_.integer(Scalar::i32, "a node number"));
            mesh_.nodes.push_back(in_.point(Scalar::f64));
            in_.skip(parameters, Scalar::f64, "a parameter");
        }
    }

    void read_elements()
    {
        if (version_ == Version::v2) {
            const int count = in_.count(Scalar::i32, 3, Scalar::i32, "a number of elements");
            in_.line();
            in_.set_binary(binary_, big_endian_);
            if (binary_)
                read_binary_elements_2(count);
            else
                read_text_elements_2(count);
            return;
        }
        const Scalar wide = version_ == Version::v41 ? size_type_ : Scalar::u64;
        const Scalar tag_type = version_ == Version::v41 ? size_type_ : Scalar::i32;
        const int blocks = in_.count(wide, 4, Scalar::i32, "a number of blocks");
        in_.skip(version_ == Version::v41 ? 3 : 1, wide, "the number of elements");
        for (int b = 0; b < blocks; ++b) {
            in_.skip(2, Scalar::i32, "an entity");
            const std::int64_t type = element_type();
            const int count = in_.count(wide, 2, tag_type, "a number of elements");
            for (int i = 0; i < count; ++i) {
                in_.skip(1, tag_type, "an element number");
                read_element(type, tag_type);
            }
        }
    }

    void read_text_elements_2(int count)
    {
        for (int i = 0; i < count; ++i) {
            in_.skip(1, Scalar::i32, "an element number");
            const std::int64_t type = element_type();
            in_.skip(in_.count(Scalar::i32, 1, Scalar::i32, "a number of tags"), Scalar::i32, "a tag");
            read_element(type, Scalar::i32);
        }
    }

    /// Runs of elements of one type and number of tags.
    void read_binary_elements_2(int count)
    {
        for (int done = 0; done < count;) {
            const std::int64_t type = element_type();
            const int run = in_.count(Scalar::i32, 2, Scalar::i32, "a number of elements");
            const int tags = in_.count(Scalar::i32, 1, Scalar::i32, "a number of tags");
            if (run == 0 || run > count - done)
                in_.fail("1 to " + std::to_string(count - done) + " more elements", std::to_string(run));
            for (int i = 0; i < run; ++i) {
                in_.skip(1 + static_cast<std::size_t>(tags), Scalar::i32, "element number and tags");
                read_element(type, Scalar::i32);
            }
            done += run;
        }
    }

    std::int64_t element_type()
    {
        const std::int64_t type = in_.integer(Scalar::i32, "an element type");
        if (nodes_of(type) == 0)
            in_.fail("a known element type", std::to_string(type));
        if (is_curved_tetrahedron(type))
            in_.fail(first_order_only("export with Mesh.ElementOrder = 1"),
                std::to_string(nodes_of(type)) + "-node tetrahedra");
        return type;
    }

    void read_element(std::int64_t type, Scalar tag_type)
    {
        if (type != gmsh_tetrahedron) {
            in_.skip(nodes_of(type), tag_type, "a node number");
            ++mesh_.ignored_cells;
            return;
        }
        Tetrahedron tet;
        for (int& n : tet)
            n = index_of(in_.integer(tag_type, "a node number"));
        mesh_.tets.push_back(tet);
    }

    void add_tag(std::int64_t tag) { tags_.emplace_back(tag, static_cast<int>(tags_.size())); }

    void sort_tags()
    {
        if (tags_.size() != mesh_.nodes.size())
            in_.fail("one number for each node", std::to_string(tags_.size()));
        std::sort(tags_.begin(), tags_.end());
        const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
        const auto twice = std::adjacent_find(tags_.begin(), tags_.end(), same);
        if (twice != tags_.end())
            in_.fail("a number of its own for each node", std::to_string(twice->first) + " twice");
    }

    int index_of(std::int64_t tag) const
    {
        // unsigned: tags are untrusted, and their difference may not fit
        const std::size_t guess =
            tags_.empty() ? 0 : static_cast<std::uint64_t>(tag) - static_cast<std::uint64_t>(tags_.front().first);
        if (guess < tags_.size() && tags_[guess].first == tag)
            return tags_[guess].second; // numbered without gaps
        const auto found = std::lower_bound(tags_.begin(), tags_.end(), std::pair<std::int64_t, int>(tag, 0));
        if (found == tags_.end() || found->first != tag)
            in_.fail("the number of a node", std::to_string(tag));
        return found->second;
    }

    MeshInput& in_;
    RawTets mesh_;
    Version version_ = Version::v2;
    bool binary_ = false;
    bool big_endian_ = false;
    Scalar size_type_ = Scalar::u64; // size_t of the writer
    std::vector<std::pair<std::int64_t, int>> tags_; // number in the file, index; sorted
};

} // namespace

RawTets read_gmsh(MeshInput& in)
{
    return GmshReader(in).read();
}

} // namespace stickslip
