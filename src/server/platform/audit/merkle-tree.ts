import { createHash } from 'node:crypto';

/**
 * Merkle trees of RFC 6962, section 2.1, with SHA-256 in hex. Written here, because existing packages implement other trees or a complete
 * transparency log.
 */

/** The prefix distinguishes the hash of a leaf from that of an inner node. */
export function hashMerkleLeaf(content: string): string {
  return createHash('sha256').update('\0').update(content).digest('hex');
}

export function computeMerkleRoot(leaves: readonly string[]): string {
  const [first, ...others] = leaves;
  if (first === undefined) throw new Error('A tree has a leaf.');
  if (others.length === 0) return first;
  const split = findSplitPoint(leaves.length);
  return hashNode(computeMerkleRoot(leaves.slice(0, split)), computeMerkleRoot(leaves.slice(split)));
}

/** Returns the inclusion path of the leaf at `index`, lowest hash first. */
export function computeMerkleInclusionPath(index: number, leaves: readonly string[]): readonly string[] {
  if (leaves.length === 1) return [];
  const split = findSplitPoint(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...computeMerkleInclusionPath(index, left), computeMerkleRoot(right)]
    : [...computeMerkleInclusionPath(index - split, right), computeMerkleRoot(left)];
}

/** Computes the root from an inclusion path (RFC 9162, section 2.1.3.2). Returns `null` if the path does not fit `index` and `size`. */
export function computeMerkleRootFromPath(
  leaf: string,
  { index, size, path }: { readonly index: number; readonly size: number; readonly path: readonly string[] },
): string | null {
  if (index < 0 || index >= size) return null;
  if (size === 1) return path.length === 0 ? leaf : null;
  const [other] = path.slice(-1);
  if (other === undefined) return null;
  const split = findSplitPoint(size);
  const lower = path.slice(0, -1);
  if (index < split) {
    const left = computeMerkleRootFromPath(leaf, { index, size: split, path: lower });
    return left === null ? null : hashNode(left, other);
  }
  const right = computeMerkleRootFromPath(leaf, { index: index - split, size: size - split, path: lower });
  return right === null ? null : hashNode(other, right);
}

function hashNode(left: string, right: string): string {
  return createHash('sha256')
    .update('\x01')
    .update(Buffer.from(left, 'hex'))
    .update(Buffer.from(right, 'hex'))
    .digest('hex');
}

/** Returns the largest power of two below `size`, which is at least two. */
function findSplitPoint(size: number): number {
  return 2 ** Math.ceil(Math.log2(size) - 1);
}
