import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { findLink, type Mail } from './outbox.ts';

/** Data of a person that tests enter in forms. */
export interface Person {
  readonly firstName: string;
  readonly surname: string;
  /** Code of the issuing country, as in the options of the select. */
  readonly country: string;
  readonly type: string;
  readonly document: string;
  readonly email: string;
  readonly password: string;
}

/** Creates a person with a random Argentinian document number, which needs no registry. */
export function createForeigner(): Person {
  const number = String(randomInt(10_000_000, 99_999_999));
  return {
    firstName: 'Inés',
    surname: 'Quiroga',
    country: 'ar',
    type: 'dni',
    document: number,
    email: `persona.${number}@example.com`,
    password: 'cuatro-termos-de-agua',
  };
}

/** Creates the data of a citizen of the sample registry. Each test must use a different citizen. */
export function createSampleCitizen(firstName: string, surname: string, document: string): Person {
  return {
    firstName,
    surname,
    country: 'uy',
    type: 'ci',
    document,
    email: `cedula.${document}@example.com`,
    password: 'cuatro-termos-de-agua',
  };
}

/** The sample citizen whose account is active. Tests must not change this account. */
export const activeSampleCitizen: Person = {
  ...createSampleCitizen('Ana', 'Pereira', '45123784'),
  password: 'tres-tazas-de-mate',
};

/** Steps of the registration in order, each with a function that completes its fields. */
export const registrationSteps = {
  documento: fillDocument,
  nombre: async (page: Page, person: Person) => {
    await page.getByLabel('Primer nombre').fill(person.firstName);
    await page.getByLabel('Primer apellido').fill(person.surname);
  },
  correo: async (page: Page, person: Person) => {
    await page.getByLabel('Correo electrónico', { exact: true }).fill(person.email);
    await page.getByLabel('Repetir correo electrónico').fill(person.email);
  },
  contraseña: async (page: Page, person: Person) => {
    await page.getByLabel('Contraseña', { exact: true }).fill(person.password);
    await page.getByLabel('Repetir contraseña').fill(person.password);
    await page.getByLabel(/Acepto los términos/).check();
    await solveCaptcha(page);
  },
};

export const registrationHeadings = [
  ['documento', 'Registrate'],
  ['nombre', 'Tu nombre'],
  ['correo', 'Tu correo electrónico'],
  ['contraseña', 'Tu contraseña'],
] as const satisfies readonly (readonly [RegistrationStep, string])[];

export type RegistrationStep = keyof typeof registrationSteps;

/** Completes the fields of all steps of the registration, without submitting the last one. */
export async function fillRegistration(page: Page, person: Person): Promise<void> {
  await completeStepsBefore(page, person, 'contraseña');
  await registrationSteps.contraseña(page, person);
}

/** Completes the steps of the registration before `lastStep`. */
export async function completeStepsBefore(page: Page, person: Person, lastStep: RegistrationStep): Promise<void> {
  for (const [step, fill] of Object.entries(registrationSteps)) {
    if (step === lastStep) break;
    await fill(page, person);
    await page.getByRole('button', { name: 'Continuar' }).click();
  }
}

export async function fillDocument(page: Page, { country, type, document }: Person): Promise<void> {
  await page.getByLabel('País emisor del documento').selectOption(country);
  const types = page.getByLabel('Tipo de documento');
  await expect(types).not.toHaveValue('');
  if ((await types.inputValue()) !== type) await types.selectOption(type);
  await page.getByLabel('Número de documento').fill(document);
}

/** Ticks the captcha, and waits for its proof of work. */
export async function solveCaptcha(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'No soy un robot' }).click();
  await expect(page.getByText('Verificación completa')).toBeVisible();
}

/** Registers through the form, up to the screen that shows the e-mail address. */
export async function register(page: Page, person: Person): Promise<void> {
  await page.goto('/registro');
  await fillRegistration(page, person);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByRole('heading', { name: 'Tu usuario fue creado correctamente' })).toBeVisible();
}

/** Opens the link in the activation mail, and presses the button. */
export async function activate(page: Page, mail: Mail): Promise<void> {
  await page.goto(findLink(mail, 'uuid='));
  await page.getByRole('button', { name: 'Activar cuenta' }).click();
  await expect(page.getByRole('heading', { name: 'Tu cuenta fue activada' })).toBeVisible();
}

/** Completes the current sign-in with document and password, and skips the second factor. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await completePasswordSteps(page, person);
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await expect(page.getByRole('heading', { name: 'Activá el doble factor de autenticación' })).toBeHidden();
}

/**
 * Removes the session from the browser. Leaves the portal first, because an open page would react to the removal and
 * navigate.
 */
export async function dropSession(page: Page): Promise<void> {
  await page.goto('/healthz');
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
}

/** Completes document and password in the current sign-in, up to the offer of a second factor. */
export async function completePasswordSteps(page: Page, person: Person): Promise<void> {
  await submitPasswordSteps(page, person);
  await expect(page.getByRole('heading', { name: 'Activá el doble factor de autenticación' })).toBeVisible();
}

/** Submits document and password in the current sign-in, without waiting for the next step. */
export async function submitPasswordSteps(page: Page, person: Person): Promise<void> {
  await completeDocumentStep(page, person);
  await page.getByLabel('Contraseña', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
}

export async function completeDocumentStep(page: Page, person: Person): Promise<void> {
  if (person.country === 'uy') {
    await page.getByLabel('Número de cédula').fill(person.document);
  } else {
    await chooseForeignDocument(page);
    await fillDocument(page, person);
  }
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByRole('heading', { name: 'Ingresá tu contraseña' })).toBeVisible();
}

/** Switches from the first step of the sign-in to the form for foreign documents. */
export async function chooseForeignDocument(page: Page): Promise<void> {
  await page.getByText('Otras formas de entrar').click();
  await page.getByRole('button', { name: 'No tengo documento uruguayo' }).click();
}

export async function readLocalStorage(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify(localStorage));
}
