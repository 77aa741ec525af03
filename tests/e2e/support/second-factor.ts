import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';

/** Computes the current code of an authenticator app (RFC 6238: SHA-1, 30 s, six digits). */
export function computeAppCode(secret: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret.replace(/[\s=]/g, '')]
    .map((letter) => alphabet.indexOf(letter.toUpperCase()).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest[19] ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Sets up an authenticator app on the current screen, and returns to the page that required it. */
export async function setUpApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Configurar con aplicativo de autenticación' }).click();
  const secret = (await page.getByLabel('Clave de configuración', { exact: true }).inputValue()).replaceAll(/\s/g, '');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('textbox', { name: 'Código de verificación' }).fill(computeAppCode(secret));
  await page.getByRole('button', { name: 'Comprobar' }).click();
  await page.getByRole('button', { name: 'Ya los guardé' }).click();
}
