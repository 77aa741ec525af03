import { expect, test } from './support/fixtures.ts';

const person = {
  id: '7',
  user: { id: '7', email: null, permisos: {} },
  nombre_completo: 'João Souza',
  primer_nombre: 'João',
  segundo_nombre: null,
  primer_apellido: 'Souza',
  segundo_apellido: null,
  numero_documento: '12345678909',
  numero_telefono: null,
  documento: { tipo_documento: { codigo: 'cpf', nombre: 'CPF' }, pais_emisor: { codigo: 'br', nombre: 'Brasil' } },
  nivel: 'Autoregistrado',
  nivel_de_confianza: { value: 'basico' },
  rid: 'Bajo',
  acr: 'urn:iduruguay:nid:3',
  origen_registro: { nombre: 'br' },
  firma_validada: null,
  email_validado: false,
  email_por_validar: null,
  cuenta_activa: true,
  bloqueado: true,
  acceso_funcionalidades: true,
  ultimo_login: null,
  ultimo_cambio_contrasena: null,
  info_tramite_videollamada_pendiente: null,
  identidad_verificada: false,
  segundo_factor_pendiente: false,
};

test('[INI-12 SEG-01 IDP-01] the page of a citizen of a foreign provider shows the alerts of the account, and is one column up to 1023 px', async ({
  page,
  axe,
}) => {
  const claims = { exp: Math.floor(Date.now() / 1000) + 300, cid: '7', idp: 'br' };
  const token = ['{}', JSON.stringify(claims), 'firma']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  await page.addInitScript((stored) => localStorage.setItem('portal', stored), JSON.stringify({ token, flows: {} }));
  await page.route('**/federated-identity/obtener-mis-datos-idp/7/', (route) => route.fulfill({ json: person })); // mocked, because the portal has no foreign provider
  await page.goto('/seguridad-idp?lang=es');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Te identificaste con br');
  await expect(page.getByRole('alert')).toContainText('Tu cuenta está bloqueada.');
  await expect(
    page.locator('.notice').filter({ hasText: 'todavía no tenés una cuenta propia' }).getByRole('link'),
  ).toHaveAttribute('href', '/registro');
  expect(await axe()).toEqual([]);
  const term = page.getByText('Documento', { exact: true });
  const fact = page.getByText('CPF 12345678909');
  for (const [width, beside] of [
    [1024, true],
    [1023, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const [left, right] = [await term.boundingBox(), await fact.boundingBox()];
    expect((right?.x ?? 0) > (left?.x ?? 0) + 1, `${width} px`).toBe(beside);
  }
});
