#pragma once

#include "stickslip/files/atomic_file.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <zlib.h>

namespace stickslip {

/// Just enough of the VTK XML formats to read our own files back; throws std::runtime_error at anything unexpected.
class VtkFileReader {
public:
    struct Array {
        std::string type, section; // section: element around it, e.g. PointData
        int components = 1;
        std::string bytes;
        std::size_t blocks = 0;
    };

    explicit VtkFileReader(const std::filesystem::path& path)
        : text_(read_file(path))
    {
        const std::string mark = "<AppendedData encoding=\"raw\">\n_";
        const std::size_t data = text_.find(mark);
        require(data != std::string::npos && text_.ends_with("\n</AppendedData>\n</VTKFile>\n"));
        data_begin_ = data + mark.size();
        header_ = text_.substr(0, data);
        require(header_.find("byte_order=\"LittleEndian\" header_type=\"UInt64\"") != std::string::npos);
        require(header_.find("compressor=\"vtkZLibDataCompressor\"") != std::string::npos);
        std::string section;
        for (std::size_t at = 0; (at = header_.find('<', at)) != std::string::npos; ++at) {
            const std::string element = header_.substr(at, header_.find('>', at) - at);
            if (element.starts_with("<DataArray"))
                read_array(element, section);
            else
                section = element.substr(1);
        }
        require(end_ == text_.size() - std::strlen("\n</AppendedData>\n</VTKFile>\n"));
    }

    /// By "section/name", e.g. "Polys/connectivity".
    const Array& array(const std::string& name) const { return arrays_.at(name); }
    bool has(const std::string& name) const { return arrays_.contains(name); }
    const std::string& header() const { return header_; }

    template <typename Value>
    std::vector<Value> values(const std::string& name) const
    {
        const std::string& bytes = array(name).bytes;
        std::vector<Value> result(bytes.size() / sizeof(Value));
        require(result.size() * sizeof(Value) == bytes.size());
        if (!bytes.empty())
            std::memcpy(result.data(), bytes.data(), bytes.size());
        return result;
    }

private:
    static void require(bool condition)
    {
        if (!condition)
            throw std::runtime_error("not as expected");
    }

    static std::optional<std::string> attribute(const std::string& element, const std::string& name)
    {
        const std::string begin = " " + name + "=\"";
        const std::size_t at = element.find(begin);
        if (at == std::string::npos)
            return std::nullopt;
        const std::size_t value = at + begin.size();
        return element.substr(value, element.find('"', value) - value);
    }

    std::uint64_t word(std::size_t at) const
    {
        std::uint64_t value = 0;
        require(at + sizeof(value) <= text_.size());
        std::memcpy(&value, text_.data() + at, sizeof(value));
        return value;
    }

    void read_array(const std::string& element, const std::string& section)
    {
        require(attribute(element, "format") == "appended");
        Array array;
        array.section = section;
        array.type = attribute(element, "type").value();
        array.components = std::stoi(attribute(element, "NumberOfComponents").value_or("1"));
        const std::size_t at = data_begin_ + std::stoull(attribute(element, "offset").value());
        require(end_ == 0 || at == end_); // one array after the other, without gaps
        array.blocks = word(at);
        const std::uint64_t size = word(at + 8), last = word(at + 16);
        std::size_t block = at + 24 + 8 * array.blocks;
        for (std::size_t i = 0; i < array.blocks; ++i) {
            const std::uint64_t packed = word(at + 24 + 8 * i);
            require(block + packed <= text_.size());
            uLongf length = i + 1 == array.blocks && last > 0 ? last : size;
            const uLongf expected = length;
            std::string bytes(length, '\0');
            require(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                        reinterpret_cast<const Bytef*>(text_.data() + block), packed)
                == Z_OK);
            require(length == expected);
            array.bytes += bytes;
            block += packed;
        }
        end_ = block;
        require(arrays_.emplace(section + "/" + attribute(element, "Name").value(), array).second);
    }

    std::string text_, header_;
    std::size_t data_begin_ = 0, end_ = 0;
    std::map<std::string, Array> arrays_;
};

} // namespace stickslip
