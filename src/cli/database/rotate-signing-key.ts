import { after } from '../../server/platform/base/clock.ts';
import { periods } from '../../server/platform/base/periods.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { acceptKeys } from '../../server/platform/keys/accepted-keys.ts';
import { makeSigningKey, signerFirst, writeSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { CommandError, type Terminal } from '../command.ts';
import { keep, noted, withKeys, type WithKeys } from './with-keys.ts';

/** Adds a key that is published at once and signs after `waitMin` minutes, when applications and service providers know it. */
export function addSigningKey(terminal: Terminal, waitMin: number): Promise<void> {
  return withKeys(terminal, async (opened) => {
    const { keys, now } = opened;
    const since = after(now, waitMin * 60);
    const added = await makeSigningKey(since);
    // Last in the file, because older versions, which ignore times, sign with the first key.
    const text = await writeSigningKeys([...keys.signing, added]);
    await noted(opened, 'key-added', { use: 'signing', key: added.kid }, () => keep(opened, 'signing', text));
    terminal.out(
      `${added.kid} signs from ${since.toISOString()} on. By then service providers of SAML must have our metadata anew.\n`,
    );
  });
}

/** Removes a signing key when everything that it signed has expired. Throws a CommandError before. */
export async function retireSigningKey(opened: WithKeys, kid: string): Promise<void> {
  const { store, config, keys, now, terminal } = opened;
  const [signer] = signerFirst(keys.signing, now);
  if (kid === signer.kid)
    throw new CommandError(`${kid} signs now. Add another one first: \`portal keys add signing\`.`);
  const isWaiting = keys.signing.some((key) => key.kid === kid && key.since !== null && key.since > now);
  const quiet = after(signer.since ?? now, longestTokenS(config));
  if (!isWaiting && now < quiet)
    throw new CommandError(`What ${kid} signed may be shown until ${quiet.toISOString()}. Retire it after that.`);
  const [first, ...others] = keys.signing.filter((key) => key.kid !== kid);
  const left = [first ?? signer, ...others] as const;
  const text = await writeSigningKeys(left);
  await noted(opened, 'key-retired', { use: 'signing', key: kid }, () => keep(opened, 'signing', text));
  await acceptKeys(store, { ...keys, signing: left }, now, 'signing');
  terminal.out(`${kid} is retired.\n`);
}

/** Longest use of a signature, in seconds: of a valid token, or of an ID Token as `id_token_hint` during its session. */
function longestTokenS({ sessionLifeS, tokenLifeS }: Pick<Config, 'sessionLifeS' | 'tokenLifeS'>): number {
  return Math.max(sessionLifeS, tokenLifeS, periods.idTokenMin * 60);
}
