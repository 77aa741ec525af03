// Full-text search in the sections of all pages. Loads the search index when the search field gets the focus.
import MiniSearch from './minisearch.js';

const field = document.querySelector('#search');
const list = document.querySelector('#results');
const status = document.querySelector('#status');
const base = new URL('.', import.meta.url);
let index;

async function loadIndex() {
  index ??= fetch(new URL('search.json', base))
    .then((response) => response.text())
    .then((text) => MiniSearch.loadJSON(text, { fields: ['title', 'text'], storeFields: ['title', 'page', 'url'] }));
  return index;
}

async function showResults() {
  const words = field.value.trim();
  const found =
    words === ''
      ? []
      : (await loadIndex())
          .search(words, { combineWith: 'AND', prefix: true, fuzzy: 0.15, boost: { title: 3 } })
          .slice(0, 12);
  list.replaceChildren(
    ...found.map(({ title, page, url }) => {
      const link = Object.assign(document.createElement('a'), {
        href: new URL(url, base).href,
        textContent: `${page}: ${title}`,
      });
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  status.textContent = words === '' ? '' : `${found.length} results`;
}

field.addEventListener('focus', () => void loadIndex());
field.addEventListener('input', () => void showResults());
