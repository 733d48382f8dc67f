// SPDX-License-Identifier: Apache-2.0
// The document of a page, its columns as typed arrays; docs/report.md says how they are packed.

const kTypes = { u8: [1, 'getUint8'], u16: [2, 'getUint16'], u32: [4, 'getUint32'], f32: [4, 'getFloat32'], f64: [8, 'getFloat64'] };

/** A list, or {type, base64}, as numbers; null is not a number. */
export function column(packed) {
  if (Array.isArray(packed)) return Float64Array.from(packed, (value) => (value === null ? NaN : value));
  const [size, get] = kTypes[packed.type];
  const text = atob(packed.base64);
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / size }, (_, i) => view[get](i * size, true));
}

const kColumns = ['x', 'y', 'terminals', 'from', 'to', 'from_port', 'to_port', 'group'];

export function unpacked(document) {
  const network = { ...document.network };
  for (const key of kColumns) {
    const values = column(network[key]);
    network[key] = key === 'x' || key === 'y' ? values : Uint32Array.from(values);
  }
  return { ...document, network, layers: document.layers.map((layer) => ({ ...layer, values: column(layer.values) })) };
}
