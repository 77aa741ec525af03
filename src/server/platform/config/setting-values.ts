import { featureFlagDefaults, type FeatureFlagName } from '../../../contract/feature-flags.ts';
import { findSlowPatternCharacter } from '../../../engine/compiler/sources/regexp-analysis.ts';
import { isHttpUrl } from '../../../engine/core/values/http-url.ts';
import type { ActionsByResource } from '../../../contract/operation-access.ts';
import { splitList } from '../base/normalize-input.ts';

export function parseText(value: string): string {
  return value;
}

export function createWholeNumberParser(least: number, most: number): (text: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (!(number >= least && number <= most)) throw new Error(`a whole number from ${least} to ${most}`);
    return number;
  };
}

export function parseOptionalPort(value: string): number | null {
  return value === '' ? null : createWholeNumberParser(0, 65_535)(value);
}

export function parseOnOff(value: string): boolean {
  if (/^(on|true|1)$/i.test(value)) return true;
  if (/^(off|false|0)$/i.test(value)) return false;
  throw new Error('on or off');
}

export function parseOptionalOnOff(value: string): boolean | null {
  return value === '' ? null : parseOnOff(value);
}

export function createChoiceParser<Name extends string>(...names: readonly Name[]): (text: string) => Name {
  return (value) => {
    const found = names.find((name) => name === value);
    if (found === undefined) throw new Error(`one of ${names.join(', ')}`);
    return found;
  };
}

export function createUrlParser(...protocols: readonly string[]): (text: string) => string {
  return (value) => {
    const isWhole = /^https?:/i.test(value) ? isHttpUrl(value) : /^[a-z]+:\/\//i.test(value) && URL.canParse(value);
    if (!isWhole || !protocols.includes(new URL(value).protocol))
      throw new Error(`a URL with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    return value;
  };
}

export function parseMalwareScannerAddress(value: string): string {
  if (!/^(none|(tcp|tls):\/\/([\w.-]+|\[[\da-f:]+\]):\d{1,5}|)$/i.test(value))
    throw new Error('none, or an address such as tcp://127.0.0.1:3310');
  return value;
}

export function createIceUrlParser(...protocols: readonly string[]): (text: string) => string {
  return (value) => {
    const [, protocol = ''] = /^([a-z]+:)[\w.[\]:-]+(\?transport=(udp|tcp))?$/.exec(value) ?? [];
    if (!protocols.includes(protocol))
      throw new Error(`addresses such as ${protocols[0] ?? ''}turn.ejemplo.gub.uy:3478`);
    return value;
  };
}

/** Start of a trustworthy URL: https, or http on a loopback host. */
export const trustworthyUrlPattern =
  '^(https://[^\\s\\\\/?#@]+|http://(localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1\\])(:\\d+)?(?=/|$))';

export function parseHttpOrigin(value: string): string {
  const parsed = new URL(createUrlParser('http:', 'https:')(value));
  if (parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '' || parsed.username !== '') {
    throw new Error('an origin: scheme, host and port alone');
  }
  return parsed.origin;
}

/** Parses a contact for `security.txt`. RFC 9116, section 2.5.3, requires https for web URLs. */
export function parseContactUri(value: string): string {
  if (!/^(mailto:[^\s@,]+@[^\s@,]+|https:\/\/[^\s,]+)$/.test(value))
    throw new Error('addresses such as mailto:seguridad@ejemplo.gub.uy or https://ejemplo.gub.uy/seguridad');
  return value;
}

export function parseIsoDate(value: string): string {
  const date = new Date(`${value}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== value)
    throw new Error('a date such as 2027-06-30');
  return value;
}

export function parseDomainName(value: string): string {
  if (!/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i.test(value))
    throw new Error('domains such as institucion.gub.uy');
  return value.toLowerCase();
}

/** Parses a regular expression. Rejects one that may need more than linear time, because anonymous visitors choose its input. */
export function parseLinearTimePattern(value: string): string {
  const source = parseRegExpSource(value);
  const sign = findSlowPatternCharacter(source);
  if (sign !== null) throw new Error(`a regular expression that does not take too long for many "${sign}" in a row`);
  return source;
}

function parseRegExpSource(value: string): string {
  try {
    return new RegExp(value, 'u').source;
  } catch {
    throw new Error('a regular expression');
  }
}

export function createOptionalParser(parse: (text: string) => string): (text: string) => string {
  return (value) => (value === '' ? '' : parse(value));
}

export function parseFeatureFlags(value: string): Readonly<Partial<Record<FeatureFlagName, boolean>>> {
  const pairs = splitList(value).map((pair): [FeatureFlagName, boolean] => {
    const [name = '', state = ''] = pair.split('=');
    const known = Object.keys(featureFlagDefaults).find((flag): flag is FeatureFlagName => flag === name);
    if (known === undefined) throw new Error(`made of known flags (${Object.keys(featureFlagDefaults).join(', ')})`);
    return [known, parseOnOff(state)];
  });
  return Object.fromEntries(pairs);
}

export function parseBase64Key(value: string): string {
  if (value !== '' && Buffer.from(value, 'base64').length !== 32) throw new Error('32 bytes in base64');
  return value;
}

/** Checks the lines of `encryption.key`, which keys/encryption-keys.ts parses later. */
export function assertEncryptionKeysText(value: string): string {
  for (const line of value.replaceAll('\\n', '\n').split('\n'))
    if (!line.startsWith('derived ')) parseBase64Key(line.trim().split(' ')[0] ?? '');
  return value;
}

/** Checks SIGNING_KEY, which keys/signing-keys.ts parses later. */
export function assertSigningKeysText(value: string): string {
  return value.includes('pkcs11:') ? value : assertPrivateKeyPem(value);
}

export function assertPrivateKeyPem(value: string): string {
  if (value !== '' && !value.includes('-----BEGIN PRIVATE KEY-----')) throw new Error('a private key in PEM (PKCS#8)');
  return value;
}

export function parsePermissions(text: string): ActionsByResource {
  const permissions: Record<string, string[]> = {};
  for (const pair of splitList(text)) {
    const [, resource, action] = /^(\w+):(\w+)$/.exec(pair) ?? [];
    if (resource === undefined || action === undefined) throw new Error('pairs such as videollamada:crear');
    (permissions[resource] ??= []).push(action);
  }
  return permissions;
}

/** A setting. `parse` throws an `Error` whose message completes the sentence 'NAME must be …'. */
export interface Setting<Value> {
  readonly default: string;
  readonly parse: (text: string) => Value;
  readonly description: string;
  readonly secret?: true;
}

export function defineSetting<Value>(
  defaultText: string,
  parse: (text: string) => Value,
  description: string,
): Setting<Value> {
  return { default: defaultText, parse, description };
}

// The functions below define settings that are empty by default.

export function defineTextSetting(description: string): Setting<string> {
  return defineSetting('', parseText, description);
}

export function defineOptionalSetting(parse: (text: string) => string, description: string): Setting<string> {
  return defineSetting('', createOptionalParser(parse), description);
}

export function defineListSetting<Item>(parse: (text: string) => Item, description: string): Setting<readonly Item[]> {
  return defineSetting('', (value) => splitList(value).map(parse), description);
}

export function defineSecretSetting<Value>(parse: (text: string) => Value, description: string): Setting<Value> {
  return { ...defineSetting('', parse, description), secret: true };
}
