// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { proposedEvent } from '../../drawn-at.ts';
import { proposalAddresses, type ProposalAct, type ProposalList, type ProposalView } from '../../proposal-data.ts';
import { t } from '../../texts.ts';
import type { Studio } from '../use-studio.ts';
import { ProposalPanel } from './proposal-panel.tsx';

afterEach(cleanup);

const ana = { name: 'Ana', email: 'ana@example.org' };
const beto = { name: 'Beto', email: 'beto@example.org' };
const view: ProposalView = {
  name: 'uno',
  title: 'Uno',
  authors: [ana],
  head: 'abc',
  approvals: [],
  changes: [
    { breaking: false, where: 'contacto', text: 'otro título' },
    { breaking: true, where: 'registro', text: '«Teléfono» pasó a ser obligatorio' },
  ],
  comments: [{ on: 'contacto: otro título', text: '¿Por qué?', by: beto, at: '2026-11-27T00:00:00Z' }],
  screens: [],
  before: [],
  after: [],
  findings: [{ file: 'flows/a.json', line: 3, column: 1, pointer: '', message: 'Nadie llega.', hint: '' }],
  cases: [
    { file: 'tests/fixtures/a.json', name: 'valid', fault: { kind: 'differs', field: 'x', expected: '', actual: 'Y' } },
  ],
  barred: null,
};

/** What the server answers to a reading waits for it. */
let held = Promise.resolve();

function open(list: ProposalList | null, own: ProposalView = view) {
  const acts: ProposalAct[] = [];
  const act = (one: ProposalAct) => {
    acts.push(one);
    return Promise.resolve(
      one.kind === 'propose' ? { outcome: 'refused', reason: 'same' } : { outcome: 'done', name: 'uno' },
    );
  };
  const read = (address: string) => held.then(() => (address === proposalAddresses.list ? list : own));
  render(<ProposalPanel studio={{ read, reading: 1, act, set: {} } as unknown as Studio} />); // what the panel uses
  return acts;
}

test('[EST-20] a proposal is looked at line by line, what breaks something first, commented and approved as it was seen', async () => {
  const acts = open({ me: beto, mayWrite: true, list: [{ ...view, head: 'newer' }] });
  fireEvent.click(await screen.findByRole('button', { name: 'Uno' }));
  const region = within(await screen.findByRole('region', { name: 'Uno' }));
  const [breaking, other] = region.getAllByRole('listitem');
  expect(breaking?.textContent).toContain(`${t('breaking')}. registro: «Teléfono» pasó a ser obligatorio`);
  expect(other?.textContent).toContain('Beto ¿Por qué?');
  expect(region.getByText(/Nadie llega/)).toBeTruthy();
  expect(region.getByText(/valid: x: el caso espera/)).toBeTruthy();
  fireEvent.click(region.getByRole('button', { name: /^Comentar «registro/ }));
  fireEvent.change(region.getByLabelText(t('commentText')), { target: { value: 'Mejor no.' } });
  let answer = (): void => undefined;
  held = new Promise((resolve) => (answer = resolve));
  fireEvent.click(region.getByRole('button', { name: t('send') }));
  expect((await screen.findByText(t('acted-comment'))).getAttribute('role')).toBe('status');
  const approve = screen.getByRole<HTMLButtonElement>('button', { name: t('approve') });
  expect(approve.disabled, 'until it is looked at again').toBe(true);
  answer();
  await vi.waitFor(() => expect(approve.disabled).toBe(false));
  fireEvent.click(approve);
  await screen.findByText(t('acted-approve'));
  expect(acts).toEqual([
    { kind: 'comment', name: 'uno', on: 'registro: «Teléfono» pasó a ser obligatorio', text: 'Mejor no.' },
    { kind: 'approve', name: 'uno', head: 'abc' },
  ]);
});

test('[EST-20] who wrote it does not approve it, and reads why; what cannot be proposed says so', async () => {
  open({ me: ana, mayWrite: true, list: [view] }, { ...view, barred: 'author' });
  fireEvent.click(await screen.findByRole('button', { name: 'Uno' }));
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: t('approve') })).disabled).toBe(true);
  expect(screen.getByText(t('barred-author'))).toBeTruthy();
  fireEvent.change(screen.getByLabelText(t('proposeTitle')), { target: { value: 'Nada' } });
  fireEvent.click(screen.getByRole('button', { name: t('propose') }));
  expect(await screen.findByText(t('unacted-same'))).toBeTruthy();
});

test('[EST-20] without git there are no proposals, and who git does not know, or may only look, proposes none', async () => {
  open(null);
  expect(await screen.findByText(t('noGit'))).toBeTruthy();
  cleanup();
  open({ me: null, mayWrite: true, list: [] });
  expect(await screen.findByText(t('noPerson'))).toBeTruthy();
  expect(screen.queryByRole('button', { name: t('propose') })).toBeNull();
  cleanup();
  open({ me: ana, mayWrite: false, list: [] });
  expect(await screen.findByText(t('mayNotPropose'))).toBeTruthy();
  expect(screen.queryByRole('button', { name: t('propose') })).toBeNull();
});

test('[EST-20] what somebody else does with proposals is read at once', async () => {
  const list: ProposalList = { me: ana, mayWrite: true, list: [] };
  open(list);
  await screen.findByText(t('noProposals'));
  Object.assign(list, { list: [view] }); // on the server, by another page
  dispatchEvent(new CustomEvent(proposedEvent));
  expect(await screen.findByRole('button', { name: 'Uno' })).toBeTruthy();
});

test('[EST-20] what was said of a line stays to be read once that line is proposed otherwise', async () => {
  const comments = [{ on: 'contacto: título de antes', text: '¿Por qué?', by: beto, at: '2026-11-27T00:00:00Z' }];
  open({ me: ana, mayWrite: true, list: [view] }, { ...view, comments });
  fireEvent.click(await screen.findByRole('button', { name: 'Uno' }));
  expect(await screen.findByRole('heading', { name: t('earlierComments') })).toBeTruthy();
  expect(screen.getByText('contacto: título de antes')).toBeTruthy();
  expect(screen.getByText('¿Por qué?')).toBeTruthy();
});
