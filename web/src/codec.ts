/** Undoes what the program's packer does (docs/view.md, "The packed data"). */

export const enum Prediction {
  neighbour = 0,
  hold = 1,
  linear = 2,
}

export interface Chunk<Contents> {
  contents: Contents;
  /** All arrays of the chunk. */
  bytes: Uint8Array;
}

const base64Digits = new Uint8Array(128);
for (let i = 0; i < 64; ++i)
  base64Digits["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charCodeAt(i)] = i;

export function decodeBase64(text: string): Uint8Array {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let i = 0, o = 0; i < text.length; i += 4) {
    const bits =
      (base64Digits[text.charCodeAt(i)] << 18) |
      (base64Digits[text.charCodeAt(i + 1)] << 12) |
      (base64Digits[text.charCodeAt(i + 2) & 127] << 6) |
      base64Digits[text.charCodeAt(i + 3) & 127];
    bytes[o++] = bits >> 16;
    if (o < bytes.length) bytes[o++] = (bits >> 8) & 255;
    if (o < bytes.length) bytes[o++] = bits & 255;
  }
  return bytes;
}

async function inflate(packed: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function openChunk<Contents>(packed: Uint8Array): Promise<Chunk<Contents>> {
  const plain = await inflate(packed);
  const length = new DataView(plain.buffer).getUint32(0, true);
  const contents = JSON.parse(new TextDecoder().decode(plain.subarray(4, 4 + length))) as Contents;
  return { contents, bytes: plain.subarray(4 + length) };
}

/** Reads numbers one after the other; little endian on every machine. */
export class ArrayReader {
  private readonly view: DataView;
  constructor(
    readonly bytes: Uint8Array,
    private at: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  u8(count: number): Uint8Array {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
  i8(count: number): Int8Array {
    const part = this.u8(count);
    return new Int8Array(part.buffer, part.byteOffset, count);
  }
  u16(count: number): Uint16Array {
    const values = new Uint16Array(count);
    for (let i = 0; i < count; ++i, this.at += 2) values[i] = this.view.getUint16(this.at, true);
    return values;
  }
  u32(count: number): Uint32Array {
    const values = new Uint32Array(count);
    for (let i = 0; i < count; ++i, this.at += 4) values[i] = this.view.getUint32(this.at, true);
    return values;
  }
  f32(count: number): Float32Array {
    const values = new Float32Array(count);
    for (let i = 0; i < count; ++i, this.at += 4) values[i] = this.view.getFloat32(this.at, true);
    return values;
  }
  /** Upper halves of float32 numbers. */
  halfWords(count: number): Float32Array {
    const words = new Uint32Array(count);
    for (let i = 0; i < count; ++i, this.at += 2) words[i] = this.view.getUint16(this.at, true) << 16;
    return new Float32Array(words.buffer);
  }
}

/**
 * Whole numbers of `count` points, four to a point: x, y, z, and one that is free for a colour.
 * `one` and `two` are the same points one and two frames earlier.
 */
export function takeDifferences(
  reader: ArrayReader,
  count: number,
  prediction: Prediction,
  one: Uint16Array | null,
  two: Uint16Array | null,
): Uint16Array {
  const q = new Uint16Array(4 * count);
  for (let axis = 0; axis < 3; ++axis) {
    const low = reader.u8(count);
    const high = reader.u8(count);
    for (let i = 0, o = axis; i < count; ++i, o += 4) {
      const folded = low[i] | (high[i] << 8);
      let value = (folded >> 1) ^ -(folded & 1);
      if (prediction === Prediction.neighbour) value += i > 0 ? q[o - 4] : 0;
      else if (prediction === Prediction.hold) value += one![o];
      else value += 2 * one![o] - two![o];
      q[o] = value;
    }
  }
  return q;
}
