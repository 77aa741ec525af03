// @vitest-environment happy-dom
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { loadScreen } from '../../src/portal/navigation/load-screen.ts';
import { createSuccess, createRefusal, runFlow } from '../engine/support/run-flow.ts';
import { productDefinitions } from './support/product-definitions.ts';

const needed = /^(agenda-soporte|elevacion|videollamada-entrar)/;
const screens: Record<string, LoadedScreen> = {};
let definitions: ServedDefinitions;

beforeAll(async () => {
  definitions = await productDefinitions;
  for (const [id, { url }] of Object.entries(definitions.manifest('es').screens)) {
    if (!needed.test(id)) continue;
    const source = definitions.modules.find((module) => module.url === url)?.source ?? '';
    screens[id] = await loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
  }
});

const citizen = {
  id: 'c',
  nombre_completo: 'Ana Paz',
  numero_documento: '45123784',
  numero_telefono: '+598 99 123 456',
  primer_apellido: 'Paz',
  user: { email: 'ana@correo.uy' },
  documento: { pais_emisor: { codigo: 'uy' }, tipo_documento: { codigo: 'ci', nombre: 'Cédula de identidad' } },
};
const run = (flow: string, user: object | null = citizen, flags: object = {}) =>
  runFlow(definitions.flows[flow]!, { screens, facts: { flags, user, authenticated: user !== null } });
type Running = ReturnType<typeof run>;

const hour = { fecha: '2026-12-01', hora: '10:30:00' };
const listShownTexts = ({ runner, shown, left }: Running) => ({
  shown: shown(),
  notice: runner.state.notice?.text,
  left,
});
const answer = (running: Running, name: string, result: Parameters<Running['calls'][number]['answer']>[0]) => {
  const call = running.calls.findLast((made) => made.call === name);
  if (call === undefined) throw new Error(`${name} was not called`);
  return call.answer(result);
};

/** Completes consecutive steps. Each has its input and the event that continues. */
async function completeSteps(running: Running, steps: readonly (readonly [values: object, event: string])[]) {
  for (const [values, event] of steps) {
    running.type({ ...values });
    await running.raise(event);
    if (running.calls.at(-1)?.call === 'checkCard')
      await answer(
        running,
        'checkCard',
        createSuccess({ numero_serie: true, primer_apellido: true, mayor_de_edad: true }),
      );
  }
}

describe('[AGEN-05] rejected booking of a support call', () => {
  const mail = 'Revise su bandeja de entrada por el mail de confirmación';
  test.each([
    [
      'sin_cupos',
      'fecha',
      'Los cupos de este horario han sido ocupados recientemente, por favor vuelva al paso 2 para solicitar agenda en otro horario',
    ],
    ['consulta_por_email', 'contacto', `Ya hay una consulta agendada para el mail ingresado. ${mail}`],
    ['consulta_por_documento', 'contacto', `Ya hay una consulta agendada para el documento ingresado. ${mail}`],
    [
      'usuario_con_videollamada',
      'contacto',
      'Su usuario ya tiene una videollamada agendada, puede ver sus datos volviendo a Administrar tu {product}',
    ],
  ])('%s shows the step %s with a notice', async (code, shown, notice) => {
    const running = run('agenda-soporte');
    await running.arrive('contacto');
    await completeSteps(running, [
      [{ asunto: 'firma', mensaje: 'No puedo firmar.' }, 'submit'],
      [hour, 'submit'],
      [{}, 'submit'],
    ]);
    expect(running.shown()).toBe('confirmar');
    await answer(running, 'bookSupportCall', createRefusal({ status: 409, code }));
    expect(listShownTexts(running)).toMatchObject({ shown, notice });
  });
});

describe('[AGEN-09 CFG-01] phone number of a support call', () => {
  const unknown = { ...citizen, numero_telefono: null };
  const about = { asunto: 'firma', mensaje: 'No puedo firmar.' };
  const phone = { numero_telefono: '+598 99 123 456' };

  test('is a separate step and part of the booking if telefono_en_agenda is on', async () => {
    const running = run('agenda-soporte', unknown, { telefono_en_agenda: true });
    await running.arrive('contacto');
    await completeSteps(running, [[about, 'submit']]);
    expect(running.shown()).toBe('telefono');
    await completeSteps(running, [[{}, 'submit']]);
    expect(running.shown(), 'asks for the phone number').toBe('telefono');
    await completeSteps(running, [
      [phone, 'submit'],
      [hour, 'submit'],
      [{}, 'submit'],
    ]);
    expect(running.calls.at(-1)).toMatchObject({
      call: 'bookSupportCall',
      input: { body: { ...about, ...phone, ...hour } },
    });
  });

  test.each([
    ['telefono_en_agenda is off and the contact data contain it', unknown, {}, { ...about, ...phone }],
    ['telefono_en_agenda is on and the account has a number', citizen, { telefono_en_agenda: true }, about],
  ])('needs no separate step if %s', async (_, user, flags, contact) => {
    const running = run('agenda-soporte', user, flags);
    await running.arrive('contacto');
    await completeSteps(running, [[contact, 'submit']]);
    expect(running.shown()).toBe('fecha');
  });
});

describe('[ELEV-02 ELEV-03] rejected elevation', () => {
  const card = [
    [{ terminos: true, clausula: true }, 'submit'],
    [{ numero_serie: '007hec' }, 'submit'],
  ] as const;
  const atCard = 'datos';
  const serial = 'El número de serie no coincide con los datos registrados. Por favor, inténtalo de nuevo.';
  const surname =
    'Tu primer apellido no coincide con el registrado con este número de serie. No puedes continuar con este trámite.';
  const minor = 'Necesitas ser mayor de edad para poder realizar este trámite.';

  test.each([
    ['cupo_ocupado', 'fecha', 'Este cupo ya fue ocupado'],
    ['tramite_en_curso', 'confirmar', 'El ciudadano ya tiene un trámite de videollamada en curso'],
    ['serie_no_coincide', atCard, serial],
    ['apellido_no_coincide', atCard, surname],
    ['menor_de_edad', atCard, minor],
    ['another', 'confirmar', undefined],
  ])('error %s of the booking shows the step %s', async (code, shown, notice) => {
    const running = run('elevacion');
    await running.arrive('condiciones');
    await completeSteps(running, [...card, [hour, 'submit'], [{}, 'book']]);
    expect(running.shown()).toBe('confirmar');
    await answer(running, 'bookElevation', createRefusal({ status: 409, code }));
    const left = code === 'another' ? ['/error?errorCode=SERVER_ERROR'] : [];
    expect(listShownTexts(running)).toEqual({ shown, notice, left });
  });

  const fits = { numero_serie: true, primer_apellido: true, mayor_de_edad: true };
  test.each([
    ['a wrong serial number', createSuccess({ ...fits, numero_serie: false }), serial],
    ['a wrong surname', createSuccess({ ...fits, primer_apellido: false }), surname],
    ['the check of a minor', createSuccess({ ...fits, mayor_de_edad: false }), minor],
    ['a failed check', createRefusal({ status: 500 }), 'No fue posible verificar sus datos. Intentelo de nuevo.'],
  ])('stays at the card data with a notice after %s', async (_what, result, notice) => {
    const running = run('elevacion');
    await running.arrive('condiciones');
    await completeSteps(running, card.slice(0, 1));
    running.type(card[1][0]);
    await running.raise('submit');
    await answer(running, 'checkCard', result);
    expect(listShownTexts(running)).toMatchObject({ shown: atCard, notice });
    const { form } = running.runner.state.view!;
    const marked = notice === serial;
    expect([form!.field('numero_serie')!.error, form!.refusedAtSubmit]).toEqual(
      marked ? [serial, ['numero_serie']] : [null, []],
    );
  });

  test('marks the serial number field if the booking rejects the serial number', async () => {
    const running = run('elevacion');
    await running.arrive('condiciones');
    await completeSteps(running, [...card, [hour, 'submit'], [{}, 'book']]);
    await answer(running, 'bookElevation', createRefusal({ status: 400, code: 'serie_no_coincide' }));
    expect(running.runner.state.view!.form!.field('numero_serie')!.error).toBe(serial);
  });
});

describe('booked elevation', () => {
  const pending = (estado: string) => ({
    ...citizen,
    info_tramite_videollamada_pendiente: { id: 'l', estado, fecha: '2026-12-01', hora_inicio: '10:30:00' },
  });

  test.each([
    [404, undefined, ['/seguridad?msg=accion_no_permitida']],
    [500, 'No se ha podido concretar la solicitud. Inténtelo más tarde.', []],
  ])(
    '[ELEV-06] redirects to the account on 404 and shows a notice on 500 if accepting its terms fails: %i',
    async (status, notice, left) => {
      const running = run('elevacion', pending('Pendiente usuario'));
      await running.arrive('aceptar');
      await completeSteps(running, [[{ condiciones: true }, 'submit']]);
      await answer(running, 'acceptElevation', createRefusal({ status }));
      expect(listShownTexts(running)).toEqual({ shown: 'aceptar', notice, left });
    },
  );

  test('[ELEV-05] redirects to the error page if its cancellation fails', async () => {
    const running = run('elevacion', pending('Agendado'));
    await running.arrive('cancelar');
    await running.raise('cancel');
    await answer(running, 'cancelElevation', createRefusal({ status: 500 }));
    expect(running.left).toEqual(['/error?errorCode=SERVER_ERROR']);
  });
});

describe('[ELEV-07] entry to a Jitsi room', () => {
  const call = { id: '5', estado: 'Agendado', fecha: '2026-12-01', hora_inicio: '10:30:00', minutos: 20, sala: false };
  const room = { link: 'https://meet.example.uy/sala', jwt: 'secreto' };

  test.each([
    ['after it notified the desk', createSuccess({})],
    ['even if the notification of the desk fails', createRefusal({ status: 503 })],
  ])('opens the room %s', async (_, result) => {
    const running = run('elevacion', { ...citizen, info_tramite_videollamada_pendiente: { ...call, ...room } });
    await running.arrive('entrar');
    await running.raise('enter');
    expect(running.calls.at(-1)).toMatchObject({ call: 'recordCitizenRoomEntry', input: { body: { llamada: '5' } } });
    expect(running.left).toEqual([]);
    await answer(running, 'recordCitizenRoomEntry', result);
    expect(running.left).toEqual([{ address: room.link, query: { jwt: room.jwt } }]);
  });
});

describe('[ELEV-05] page before a call', () => {
  const call = { id: '5', estado: 'Agendado', fecha: '2026-12-01', hora_inicio: '10:30:00', minutos: 20 };
  const closed = { ...call, link: null, jwt: null, sala: false, abre: '2026-12-01T13:25:00.000Z' };
  const link = 'https://meet.example.uy/sala';

  test.each([
    ['elevacion', { ...closed, sala: true }, 'sala'],
    ['elevacion', { ...closed, link }, 'entrar'],
    ['elevacion', closed, null],
    ['videollamada-soporte', { ...closed, sala: true }, 'sala'],
    ['videollamada-soporte', { ...closed, link }, 'entrar'],
    ['videollamada-soporte', closed, null],
  ])('checks once when the entry opens, and shows whether the room is open: %s, case %#', async (flow, then, shown) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-12-01T13:24:00Z') });
    const support = flow === 'videollamada-soporte';
    const asked = support ? 'getSupportCall' : 'getCitizen';
    const wire = (now: object) =>
      createSuccess(support ? now : { ...citizen, info_tramite_videollamada_pendiente: now });
    const running = run(flow, { ...citizen, info_tramite_videollamada_pendiente: closed });
    await running.arrive('entrar', '?uuid=u');
    if (support) await answer(running, asked, wire(closed));
    const before = running.calls.length;
    await vi.advanceTimersByTimeAsync(59_999);
    expect(running.calls.length, 'no request before the entry opens').toBe(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(running.calls.length).toBe(before + 1);
    await answer(running, asked, wire(then));
    const notice = shown === null ? 'La sala todavía no está abierta.' : 'La sala ya está abierta: podés entrar.';
    expect(listShownTexts(running), 'does not leave the page').toEqual({ shown: 'entrar', notice, left: [] });
    expect(running.runner.state.context['enlace'] ?? null).toBe(shown === 'entrar' ? link : null);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(running.calls.length, 'one request').toBe(before + 1);
    if (shown !== 'sala') return;
    expect(running.runner.state.context['abierta']).toBe(true);
    await running.raise('again');
    await answer(running, asked, wire(then));
    expect(running.shown()).toBe('sala');
  });
});
