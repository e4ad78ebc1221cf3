#pragma once

#include "stickslip/files/meshes/mesh_input.h"

#include <cstddef>
#include <string>

namespace stickslip {

enum class VtuEncoding { ascii, base64, raw };

/// One <DataArray> of a .vtu file: where its data begin and how they are kept.
struct VtuArray {
    std::string name;
    Scalar type = Scalar::f64;
    VtuEncoding encoding = VtuEncoding::ascii;
    bool appended = false; // position counts from the beginning of the appended data, which say how they are encoded
    std::size_t position = 0; // first byte of the data (base64: white space may come before)
};

/// Storage of all arrays of the file.
struct VtuStorage {
    bool big_endian = false;
    bool zlib = false;
    Scalar header = Scalar::u32; // of the sizes before binary data
};

/// Pre: not appended, i.e. position counts from the beginning of the file and encoding is known.
/// A reader that stands at the first of exactly `count` numbers of the array: the file itself for text, otherwise the
/// decoded bytes.
MeshInput decode_array(const MeshInput& file, const VtuStorage& storage, const VtuArray& array, std::size_t count);

} // namespace stickslip
