import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, test } from 'vitest';
import { portalConstants } from '../../../../src/contract/constants.ts';
import flowFormat from '../../../../src/engine/compiler/formats/flow.4.schema.json' with { type: 'json' };
import { listPlaceholders } from '../../../../src/engine/core/messages.ts';
import { secondsPerDay, fixedRetentionPeriods } from '../../../../src/server/platform/base/fixed-periods.ts';
import { readConfig } from '../../../../src/server/platform/config/read-config.ts';
import { computeContentPlaceholderValues } from '../../../../src/server/features/content/content-placeholder-values.ts';
import { statisticsWeekCount } from '../../../../src/server/features/desk/call-statistics.ts';
import { databaseTableDescriptions } from '../../../../src/server/app/server-modules.ts';
import { listPurgedTables } from '../../../../src/server/app/purge-expired-data.ts';

const root = join(import.meta.dirname, '../../../..');
const now = new Date('2026-11-25T12:00:00Z');
const config = readConfig({ STILLS_DAYS: '12' });
const values = computeContentPlaceholderValues(config);
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Returns the retention section of the privacy policy. */
async function readRetentionText(language: string): Promise<string> {
  const page = await readFile(
    join(root, `src/server/features/content/${language}/paginas/politica-de-privacidad.md`),
    'utf8',
  );
  const part = page.split(/^## /m).find((one) => /^(Cuánto tiempo|Por quanto tempo)/.test(one));
  return part ?? '';
}

/** Seconds per unit. The name of a placeholder begins with its unit. */
const units: Readonly<Record<string, number>> = {
  anios: 365 * secondsPerDay,
  dias: secondsPerDay,
  horas: 60 * 60,
  minutos: 60,
};

describe('retention periods', () => {
  const purged = listPurgedTables(now, config);

  test.each(['es', 'pt'])(
    'the privacy policy in %s names the period of each table that the purge empties',
    async (language) => {
      const named = listPlaceholders(await readRetentionText(language));
      expect(named.length).toBeGreaterThan(10);
      expect(purged.filter(({ policy }) => policy !== null && !named.includes(policy))).toEqual([]);
    },
  );

  test('tables that the policy does not name contain no data of citizens', () => {
    const unnamed = purged.filter(({ policy }) => policy === null).map(({ table }) => table);
    expect(unnamed.length).toBeGreaterThan(2);
    expect(unnamed.filter((table) => databaseTableDescriptions[table].data !== null)).toEqual([]);
  });

  const kept = purged.flatMap(({ table, old, policy }) => {
    const [since] = old.compile(compiler).parameters;
    return policy !== null && since instanceof Date && since < now ? [{ table, policy, since }] : [];
  });
  test.each(kept)('$table is purged after {$policy} of the privacy policy', ({ policy, since }) => {
    const unit = units[policy.split('_')[0] ?? ''] ?? 0;
    expect((now.getTime() - since.getTime()) / 1000).toBe(Number(values[policy]) * unit);
  });

  test('the privacy policy states STILLS_DAYS as the retention period of call pictures', () => {
    expect(kept.find(({ table }) => table === 'call_stills')?.policy).toBe('dias_fotos');
    expect(values['dias_fotos']).toBe(12);
  });

  test('saved flows may declare at most the number of days that the privacy policy names', () => {
    expect(flowFormat.properties.save.properties.days.maximum).toBe(fixedRetentionPeriods.savedFlowDays);
  });
});

const number =
  '(\\d+|dos|dois|duas|tres|três|cuatro|quatro|cinco|seis|siete|sete|ocho|oito|diez|dez|doce|doze|quince|quinze|veinticuatro|vinte e quatro|treinta|trinta|cuarenta y ocho|sesenta|noventa)';
const unit = '(segundos|minutos?|horas?|días?|dias?|semanas?|mes|meses|mês|años?|anos?)';
/** Pattern of periods in which `un` or `una` is a number: 'un año'. */
const single = '(un|um) (año|ano|mes|mês)|(una|uma) semana';
const period = new RegExp(`(?<![\\p{L}\\d])(?:${number} ${unit}|${single})(?!\\p{L})`, 'giu');

/** Periods in texts that no setting determines, each with the reason. */
const fixed: Readonly<Record<string, string>> = {
  '30 segundos': 'The step of RFC 6238.',
  'cinco días': 'Working days: article 14 of the law on personal data.',
  'cinco dias': 'The same.',
};

async function textsOf(folder: string, name: RegExp): Promise<readonly (readonly [file: string, text: string])[]> {
  const files = (await readdir(join(root, folder), { recursive: true })).filter((file) => name.test(file));
  return Promise.all(
    files.map(async (file) => [`${folder}/${file}`, await readFile(join(root, folder, file), 'utf8')] as const),
  );
}

const listPeriods = (text: string) => [...text.matchAll(period)].map(([found]) => found.toLowerCase());

describe('periods in texts', () => {
  test('help, pages, mails and the signed statement contain no hard-coded period', async () => {
    const texts = [
      ...(await textsOf('src/server/features/content', /\.md$/)),
      ...(await textsOf('src/server', /\/mails\/.*\.(txt|json)$/)),
      ...(await textsOf('src/server/features/signature', /^statement\.json$/)),
    ];
    expect(texts.length).toBeGreaterThan(100);
    const own = texts.flatMap(([file, text]) =>
      listPeriods(text).flatMap((found) => (Object.hasOwn(fixed, found) ? [] : [`${file}: ${found}`])),
    );
    expect(own).toEqual([]);
  });

  const inDigits: Readonly<Record<string, string>> = { siete: '7', sete: '7', doce: '12' };

  /** Constants in the texts of screens, in seconds. These texts are compiled without the settings. */
  const ofScreens: Readonly<Record<string, number>> = {
    'agenda-soporte-confirmar horas': portalConstants.reservationConfirmHours,
    'agenda-soporte-exito horas': portalConstants.reservationConfirmHours,
    'videollamada-entrar minutos': portalConstants.videoCallEntryMinutes,
    'seguridad-cierre-pedir días': portalConstants.closureGraceDays,
    'firma-digital-inicio minutos': fixedRetentionPeriods.signatureMin,
    'desk-correo horas': fixedRetentionPeriods.objectionH,
    'desk-cuenta horas': fixedRetentionPeriods.objectionH,
    'desk-cuenta días': fixedRetentionPeriods.secondAgentDays,
    '_shared minutos': portalConstants.idleWarningS / 60,
    'account minuto': 1, // the last step of the countdown
    'room minutos': portalConstants.videoCallEntryMinutes,
    'desk semanas': statisticsWeekCount,
  };

  test('periods in the texts of screens equal the constants in the code', async () => {
    const found = (await textsOf('schemas', /\.json$/)).flatMap(([file, text]) =>
      listPeriods(text).map((words) => {
        const [count = '', of = ''] = words.split(' ');
        const [, own] = /^schemas\/(?:_shared\/texts\/)?(\w[\w-]*)/.exec(file) ?? [];
        const key = `${own ?? ''} ${of.replace('dias', 'días')}`;
        return { key, count: inDigits[count] ?? count };
      }),
    );
    const wrong = found.filter(({ key, count }) => String(ofScreens[key]) !== count);
    expect(wrong).toEqual([]);
    expect(Object.keys(ofScreens).filter((key) => !found.some((one) => one.key === key))).toEqual([]);
  });
});
