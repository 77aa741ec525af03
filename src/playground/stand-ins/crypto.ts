/** 64-bit FNV-1a hash in place of Node's. It only names modules, so it need not be secure. */
export function createHash(): { update(text: string): { digest(): string } } {
  return {
    update: (text) => ({
      digest: () => {
        let hash = 0xcbf29ce484222325n;
        for (const byte of new TextEncoder().encode(text))
          hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
        return hash.toString(16).padStart(16, '0');
      },
    }),
  };
}
