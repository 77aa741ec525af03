import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { textsOf } from '../../src/engine/compiler/shared/texts.ts';
import type { Json } from '../../src/engine/core/json.ts';
import { root } from './source-texts.ts';

/** Texts that the specification quotes, which stay as they are (sections 2.3, 4.5, 5.1, 8). */
const quoted = [
  'Seleccione un asunto',
  'Un agente se estará contactando contigo a la brevedad.',
  'Confirma tu identidad para continuar',
  'Asegúrese de que este campo',
  'Ingrese un email válido',
  'Ingrese su documento sin puntos ni guiones.',
  'El email de activación fue enviado nuevamente',
  'Ocurrió un error al enviar el email de activación',
  'Las instrucciones fueron enviadas nuevamente',
  'El código de verificación fue enviado nuevamente',
  'Por favor, inténtelo más tarde.',
  'Comienza de nuevo.',
  'No es posible validar tus datos contra el servicio de identificación',
  'Verifica que tus datos personales coincidan con los de la cédula de identidad',
  'Asegúrate que el primer apellido',
  'Usted ya realizó esta acción o no tiene permisos para hacerlo',
  'Los cupos de este horario han sido ocupados recientemente, por favor vuelva al paso 2 para solicitar agenda en otro horario',
  'Ya hay una consulta agendada para el mail ingresado. Revise su bandeja de entrada por el mail de confirmación',
  'Ya hay una consulta agendada para el documento ingresado. Revise su bandeja de entrada por el mail de confirmación',
  'Ya hay una videollamada de consulta pendiente asociada al e-mail',
  'Su usuario ya tiene una videollamada agendada, puede ver sus datos volviendo a',
  'Este cupo ya fue ocupado',
  'El ciudadano ya tiene un trámite de videollamada en curso',
  'El número de serie no coincide con los datos registrados. Por favor, inténtalo de nuevo.',
  'Tu primer apellido no coincide con el registrado con este número de serie. No puedes continuar con este trámite.',
  'No fue posible verificar sus datos. Intentelo de nuevo.',
  'Necesitas ser mayor de edad para poder realizar este trámite.',
  'No se ha podido concretar la solicitud. Inténtelo más tarde.',
];

/** Words that speak to a citizen otherwise than by vos, and foreign ones for the mail. */
const refused: readonly (readonly [note: string, words: RegExp])[] = [
  [
    'usted',
    /(?<!\p{L})(ustedes|usted|ingrese|seleccione|asegúrese|revise|intente|inténtelo|verifique|marque|presione|solicite|digite|repita|pruebe|espere|comuníquese|acérquese|por favor)(?!\p{L})/iu,
  ],
  [
    'tú',
    /(?<!\p{L})(tú|ti|contigo|eres|tienes|puedes|quieres|debes|necesitas|elige|selecciona|comienza|verifica|confirma|asegúrate|inténtalo|regístrate|haz)(?!\p{L})/iu,
  ],
  ['email', /(?<!\p{L})(e-?mails?|mails?)(?!\p{L})/iu],
];

/** Every Spanish text of the product by where it stands. */
async function spanish(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const json = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Record<string, Json>;
  const put = (path: string, texts: Iterable<readonly [string, unknown]>) => {
    for (const [at, text] of texts) if (typeof text === 'string') found.set(`${relative(root, path)} ${at}`, text);
  };
  const files = async (folder: string, end: RegExp) =>
    (await readdir(join(root, folder), { recursive: true }))
      .filter((name) => end.test(name))
      .map((name) => join(root, folder, name));
  for (const path of await files('schemas', /(^|\/)ui\.json$/)) put(path, textsOf(await json(path)));
  for (const path of await files('schemas/_shared', /^(?!messages)[\w-]+\.json$/)) put(path, textsOf(await json(path)));
  put('schemas/_shared/messages.json', Object.entries(await json(join(root, 'schemas/_shared/messages.json'))));
  for (const path of [...(await files('plugins', /texts\.json$/)), join(root, 'src/server/base/texts.json')])
    put(path, Object.entries((await json(path)).es as Record<string, Json>));
  for (const path of [
    ...(await files('src/portal/texts', /^es\..*json$/)),
    ...(await files('src/room/texts', /^es\.json$/)),
    join(root, 'src/agents/texts.json'),
  ])
    put(path, Object.entries(await json(path)));
  for (const path of [
    ...(await files('src/server/mail/templates', /\.es\.txt$/)),
    ...(await files('src/server/content/es', /\.md$/)),
  ])
    put(path, [['', await readFile(path, 'utf8')]]);
  for (const path of await files('src/server/mail/templates', /\.json$/)) {
    for (const [name, { es }] of Object.entries(
      (await json(path)) as unknown as Record<string, { es: Record<string, string> }>,
    ))
      put(
        path,
        Object.entries(es).map(([part, text]) => [`${name}/${part}`, text]),
      );
  }
  return found;
}

/** What is left of a text without what is quoted, without variables, addresses and the targets of links. */
function own(text: string): string {
  return quoted
    .reduce((rest, quotation) => rest.replaceAll(quotation, ''), text)
    .replace(/\{[^}]*\}+|\]\([^)]*\)|\S+@\S+/g, '');
}

test.each(refused)('[INI+PALABRAS] own texts say vos and correo: no %s', async (_, words) => {
  const texts = await spanish();
  expect(texts.size).toBeGreaterThan(700);
  const wrong = [...texts].flatMap(([at, text]) => {
    const word = words.exec(own(text));
    return word ? [`${at}: "${word[0]}" in "${text.slice(0, 120)}"`] : [];
  });
  expect(wrong).toEqual([]);
});

test('[INI+PALABRAS] a notice is a sentence, with its full stop', async () => {
  const notices = [...(await spanish())].filter(([at]) =>
    /(ui\.json \/notices|notices\.json \/\$defs)\/\w+\/text$/.test(at),
  );
  expect(notices.length).toBeGreaterThan(40);
  const open = notices.filter(([, text]) => own(text).trim() !== '' && !/[.:?!…»]$/.test(text) && !/ a$/.test(text)); // a link follows "a"
  expect(open.map(([at, text]) => `${at}: ${text}`)).toEqual([]);
});

test('[INI+PALABRAS] nothing is excused that no text says', async () => {
  const all = [...(await spanish()).values()].join('\n');
  expect(quoted.filter((quotation) => !all.includes(quotation))).toEqual([]);
});
