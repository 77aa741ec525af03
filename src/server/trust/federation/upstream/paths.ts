/** Paths of the broker for identity providers. Each provider has its own, so that a response of one cannot pass for another's. */
export const providerPaths = {
  callback: '/idp/:idp/callback',
  consumer: '/idp/:idp/acs',
  metadata: '/idp/:idp/metadata',
} as const;

export function providerAddress(path: keyof typeof providerPaths, baseUrl: string, idp: string): string {
  return new URL(providerPaths[path].replace(':idp', idp), baseUrl).href;
}
