/** The broker's addresses for identity providers, each with its own, so that no answer of one passes for another's. */
export const providerPaths = {
  callback: '/idp/:idp/callback',
  consumer: '/idp/:idp/acs',
  metadata: '/idp/:idp/metadata',
} as const;

/** The absolute address of one provider. */
export function providerAddress(path: keyof typeof providerPaths, baseUrl: string, idp: string): string {
  return new URL(providerPaths[path].replace(':idp', idp), baseUrl).href;
}
