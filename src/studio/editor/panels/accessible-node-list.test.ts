// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { listAccessibleNodes } from './accessible-node-list.tsx';

test('listAccessibleNodes lists names, descriptions and states in order, and marks unnamed controls and skipped heading levels', () => {
  document.body.innerHTML = `
    <main>
      <h1>Contacto</h1>
      <label for="mail">Correo</label><input id="mail" type="email" required aria-invalid="true" aria-describedby="why">
      <p id="why">Falta</p>
      <input type="text">
      <h3>Atención</h3>
      <a href="/ayuda">Ayuda</a>
      <button disabled>Continuar</button>
      <div hidden><button>Oculto</button></div>
      <div role="group"></div>
    </main>`;
  const plain = { description: '', level: null, states: [], fault: null };
  expect(listAccessibleNodes(document.body)).toEqual([
    { ...plain, role: 'heading', name: 'Contacto', level: 1 },
    { ...plain, role: 'textbox', name: 'Correo', description: 'Falta', states: ['required', 'invalid'] },
    { ...plain, role: 'textbox', name: '', fault: 'nameless' },
    { ...plain, role: 'heading', name: 'Atención', level: 3, fault: 'skipped' },
    { ...plain, role: 'link', name: 'Ayuda' },
    { ...plain, role: 'button', name: 'Continuar', states: ['disabled'] },
  ]);
});
