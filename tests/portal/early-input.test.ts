// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { enableEarlyInput } from '../../src/portal/prerender/early-input.ts';
import { capturePrerenderedState } from '../../src/portal/prerender/replace-prerendered-page.ts';

const form = (id = 'login') => `<main tabindex="-1"><section data-screen="${id}"><form inert>
  <label>Documento <input name="documento"></label>
  <select name="pais"><option value="uy" selected>Uruguay</option><option value="br">Brasil</option></select>
  <textarea name="mensaje"></textarea>
  <input type="checkbox" name="acepto" aria-busy="false">
  <input type="radio" name="medio"><input type="radio" name="medio">
  <button type="button" class="b1">Mostrar</button><button class="b2">Continuar</button></form></section></main>`;

describe('[INI+PINTURA] early input', () => {
  let page: HTMLElement;
  let root: HTMLElement;
  const draw = (drawn = form()): void => {
    document.body.innerHTML = `<div id="prerendered">${form()}</div><div id="root">${drawn.replace(' inert', '')}</div>`;
    [page, root] = [...document.body.children] as [HTMLElement, HTMLElement];
    enableEarlyInput(page);
  };
  const pass = (): void => {
    const finish = capturePrerenderedState(page, root);
    page.remove();
    finish();
  };
  const early = <Kind extends HTMLElement>(selector: string): Kind => page.querySelector<Kind>(selector)!;
  const later = <Kind extends HTMLElement>(selector: string): Kind => root.querySelector<Kind>(selector)!;
  beforeEach(() => draw());

  test('is possible in a form, which the browser does not submit', () => {
    expect(early<HTMLFormElement>('form').inert).toBe(false);
    const event = new Event('submit', { bubbles: true, cancelable: true });
    early('form').dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
  });

  test('is submitted by the browser if its form has an action, and its button is not marked as pressed', () => {
    early('form').outerHTML = '<form action="/ayuda"><button>Buscar</button></form>';
    const event = new Event('submit', { bubbles: true, cancelable: true });
    early('form').dispatchEvent(event);
    early('button').click();
    expect([event.defaultPrevented, early('button').hasAttribute('aria-busy')]).toEqual([false, false]);
  });

  test('is copied to the fields of the portal with an input event each', () => {
    const heard: string[] = [];
    root.addEventListener('input', ({ target }) => heard.push((target as HTMLInputElement).name));
    early<HTMLInputElement>('[name=documento]').value = '45123784';
    early<HTMLTextAreaElement>('[name=mensaje]').value = 'No puedo entrar.';
    early<HTMLSelectElement>('[name=pais]').value = 'br';
    early<HTMLInputElement>('[name=acepto]').checked = true;
    page.querySelectorAll<HTMLInputElement>('[name=medio]')[1]!.checked = true;
    pass();
    expect(later<HTMLInputElement>('[name=documento]').value).toBe('45123784');
    expect(later<HTMLTextAreaElement>('[name=mensaje]').value).toBe('No puedo entrar.');
    expect(later<HTMLSelectElement>('[name=pais]').value).toBe('br');
    expect(later<HTMLInputElement>('[name=acepto]').checked).toBe(true);
    expect([...root.querySelectorAll<HTMLInputElement>('[name=medio]')].map(({ checked }) => checked)).toEqual([
      false,
      true,
    ]);
    expect(heard).toEqual(['documento', 'pais', 'mensaje', 'acepto', 'medio']);
  });

  test('leaves untouched fields as the portal has drawn them', () => {
    later<HTMLInputElement>('[name=documento]').value = '1';
    later<HTMLSelectElement>('[name=pais]').value = 'br';
    pass();
    expect(later<HTMLInputElement>('[name=documento]').value).toBe('1');
    expect(later<HTMLSelectElement>('[name=pais]').value).toBe('br');
  });

  test('keeps focus and caret', () => {
    const typed = early<HTMLInputElement>('[name=documento]');
    typed.value = '4512';
    typed.focus();
    typed.setSelectionRange(2, 2);
    pass();
    const field = later<HTMLInputElement>('[name=documento]');
    expect(document.activeElement).toBe(field);
    expect(field.selectionStart).toBe(2);
  });

  test('keeps opened details open, with the focus on their summary', () => {
    const folds = ['Sitio oficial', 'Otras formas de entrar']
      .map((text) => `<details><summary tabindex="0">${text}</summary><a href="/registro">Registrate</a></details>`)
      .join('');
    draw(form().replace('</section>', `${folds}</section>`));
    early('section').insertAdjacentHTML('beforeend', folds);
    const [, second] = page.querySelectorAll('details');
    second!.open = true;
    second!.querySelector('summary')!.focus();
    pass();
    expect([...root.querySelectorAll('details')].map(({ open }) => open)).toEqual([false, true]);
    expect(document.activeElement).toBe(root.querySelectorAll('summary')[1]);
  });

  test('presses the last pressed button once the fields were copied', () => {
    const pressed = vi.fn();
    root.addEventListener('click', ({ target }) =>
      pressed((target as HTMLElement).className, later<HTMLInputElement>('[name=documento]').value),
    );
    early<HTMLInputElement>('[name=documento]').value = '45123784';
    early('.b1').click();
    early('.b2').click();
    expect(early('.b2').getAttribute('aria-busy')).toBe('true');
    expect(early('.b1').hasAttribute('aria-busy')).toBe(false);
    pass();
    expect(pressed.mock.calls).toEqual([['b2', '45123784']]);
  });

  test('ignores a button outside of a screen', () => {
    document.body.innerHTML = '<div><header><button>Menú</button></header><main><button>Buscar</button></main></div>';
    const page = document.body.firstElementChild as HTMLElement;
    enableEarlyInput(page);
    for (const button of page.querySelectorAll('button')) button.click();
    expect(page.querySelector('[aria-busy]')).toBeNull();
  });

  test('does not press a button with another name', () => {
    draw(form().replace('Continuar', 'Borrar mi cuenta'));
    const pressed = vi.fn();
    root.addEventListener('click', pressed);
    early('.b2').click();
    pass();
    expect(pressed).not.toHaveBeenCalled();
  });

  test('finds the pressed and focused button although the prerendered form has one button less', () => {
    draw(form().replace('<button class="b2">', '<button class="b0">Con llave de acceso</button><button class="b2">'));
    const pressed = vi.fn();
    root.addEventListener('click', ({ target }) => pressed((target as HTMLElement).className));
    early('.b2').focus();
    early('.b2').click();
    pass();
    expect(pressed.mock.calls).toEqual([['b2']]);
    expect(document.activeElement).toBe(later('.b2'));
  });

  test('is discarded if the portal draws another screen', () => {
    draw(form('contrasena'));
    const pressed = vi.fn();
    root.addEventListener('click', pressed);
    early<HTMLInputElement>('[name=documento]').value = '45123784';
    early('[name=documento]').focus();
    early('.b2').click();
    pass();
    expect(later<HTMLInputElement>('[name=documento]').value).toBe('');
    expect(document.activeElement).toBe(document.body);
    expect(pressed).not.toHaveBeenCalled();
  });
});
