import { spawnSync } from 'node:child_process';
import { installBy } from './install-by.ts';

/** Installs the command of the XML Security Library, by which tests verify signatures of SAML, where the system's package manager has it. */
export function installXmlsec(root: string): void {
  installBy(root, {
    name: 'xmlsec1',
    ways: ['apt-get update && apt-get install -y xmlsec1'],
    isThere: () => spawnSync('xmlsec1', ['--version']).error === undefined,
  });
}
