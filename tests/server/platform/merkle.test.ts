import { describe, expect, test } from 'vitest';
import {
  hashMerkleLeaf,
  computeMerkleInclusionPath,
  computeMerkleRootFromPath,
  computeMerkleRoot,
} from '../../../src/server/platform/audit/merkle-tree.ts';

/** Leaves of the Merkle trees in the tests of Certificate Transparency's reference implementation. */
const inputs = ['', '\x00', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno'];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const leaves = inputs.map(hashMerkleLeaf);

describe('[OPER-02] Merkle tree', () => {
  test.each(roots.map((root, index) => ({ size: index + 1, root })))(
    'has the root of the reference implementation for $size leaves',
    ({ size, root }) => {
      expect(computeMerkleRoot(leaves.slice(0, size))).toBe(root);
    },
  );

  test('proves the inclusion of each leaf at its own index and with its own path only', () => {
    for (let size = 1; size <= leaves.length; size += 1) {
      const some = leaves.slice(0, size);
      for (const [index, leaf] of some.entries()) {
        const path = computeMerkleInclusionPath(index, some);
        expect(computeMerkleRootFromPath(leaf, { index, size, path })).toBe(computeMerkleRoot(some));
        const others = [...some.keys()]
          .filter((other) => other !== index)
          .map((other) => computeMerkleRootFromPath(leaf, { index: other, size, path }));
        expect([
          ...others,
          computeMerkleRootFromPath(leaf, { index, size, path: [...path, leaf] }),
          computeMerkleRootFromPath(leaf, { index: size, size, path }),
        ]).not.toContain(computeMerkleRoot(some));
        if (path.length > 0)
          expect(computeMerkleRootFromPath(leaf, { index, size, path: path.slice(1) })).not.toBe(
            computeMerkleRoot(some),
          );
      }
    }
  });
});
