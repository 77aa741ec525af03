/** These limits exceed the needs of a signature with ten certificates, a time stamp and revocation data. */
const most = { nodes: 3000, children: 256, depth: 48, objectIdentifier: 64 } as const;
/** Octet and bit strings of at least this many bytes are parsed as well: certificate extensions are DER structures inside octet strings. */
const searched = 128;
const tags = { bitString: 0x03, octetString: 0x04, objectIdentifier: 0x06, sequence: 0x30 } as const;
const constructed = 0x20;
const indefinite = -1;

interface OpenNode {
  /** Offset of the first byte after the contents, or `indefinite`. */
  readonly end: number;
  children: number;
}

/** Whether BER (X.690) is small enough for asn1js, which takes up to half a millisecond per node and seconds for a long object identifier. */
export function isWithinLimits(bytes: Uint8Array): boolean {
  const open: OpenNode[] = [];
  let at = 0;
  let nodes = 0;
  do {
    const parent = open.at(-1);
    if (parent?.end === indefinite && bytes[at] === 0 && bytes[at + 1] === 0) {
      open.pop();
      at += 2;
    } else {
      const node = readNode(bytes, at);
      nodes += 1;
      if (node === null || nodes > most.nodes || open.length >= most.depth) return false;
      if (parent !== undefined && ++parent.children > most.children) return false;
      const within = node.end === indefinite ? node.contents : node.end;
      if (within > lastOffset(open, bytes)) return false;
      at = node.isOpen ? node.contents : node.end;
      if (node.isOpen) open.push({ end: node.end, children: 0 });
    }
    while (open.at(-1)?.end === at) open.pop();
  } while (open.length > 0);
  return true;
}

function lastOffset(open: readonly OpenNode[], bytes: Uint8Array): number {
  return open.findLast(({ end }) => end !== indefinite)?.end ?? bytes.length;
}

interface Node {
  readonly contents: number;
  readonly end: number;
  /** Whether the contents are parsed as nodes. */
  readonly isOpen: boolean;
}

/** Returns `null` for invalid BER and for encodings that no signature uses. */
function readNode(bytes: Uint8Array, at: number): Node | null {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return null;
  const isConstructed = (tag & constructed) !== 0;
  if (first === 0x80) return isConstructed ? { contents: at + 2, end: indefinite, isOpen: true } : null;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4) return null;
  const contents = at + 2 + lengthBytes;
  const length =
    lengthBytes === 0 ? first : bytes.subarray(at + 2, contents).reduce((sum, byte) => sum * 256 + byte, 0);
  const end = contents + length;
  if (end > bytes.length || (tag === tags.objectIdentifier && length > most.objectIdentifier)) return null;
  if (isConstructed) return { contents, end, isOpen: true };
  const inner = tag === tags.octetString ? contents : tag === tags.bitString ? contents + 1 : end;
  const isOpen = length >= searched && bytes[inner] === tags.sequence && readNode(bytes, inner)?.end === end;
  return { contents: isOpen ? inner : contents, end, isOpen };
}
