/* Finds sections of the documentation by their words. It adds its own box: without a script, none is missed. */
(() => {
  const script = document.currentScript;
  const base = new URL('.', script.src);
  const box = document.createElement('search');
  box.className = 'site-search';
  const input = Object.assign(document.createElement('input'), { type: 'search', placeholder: 'Search  ( / )' });
  input.setAttribute('aria-label', 'Search the documentation');
  const found = document.createElement('ul');
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  box.append(input, status, found);
  document.querySelector('.top')?.append(box);

  const MOST = 12;
  let index;
  const read = () => {
    index ??= fetch(new URL('search.json', base)).then((response) => response.json());
    return index;
  };

  /** An option and a member are written differently: --displayed-attributes, displayed_attributes. */
  const plain = (text) => text.toLowerCase().replaceAll('_', '-');

  /** All words must occur; those in a heading count most. */
  const rank = ([page, heading, , text], words) => {
    const [title, all] = [plain(heading), plain(`${page} ${heading} ${text}`)];
    if (!words.every((word) => all.includes(word))) return 0;
    return 1 + words.filter((word) => title.includes(word)).length * 2 + (title.startsWith(words[0]) ? 1 : 0);
  };

  async function show() {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    const sections = words.length === 0 ? [] : await read();
    const hits = sections
      .map((section) => [rank(section, words), section])
      .filter(([score]) => score > 0)
      .sort(([a], [b]) => b - a)
      .slice(0, MOST);
    status.className = hits.length === 0 ? 'none' : 'hidden';
    status.textContent = words.length === 0 ? '' : `${hits.length === 0 ? 'Nothing' : hits.length} found`;
    found.replaceChildren(
      ...hits.map(([, [page, heading, path, text]]) => {
        const link = Object.assign(document.createElement('a'), { href: new URL(path, base).href });
        const title = Object.assign(document.createElement('b'), { textContent: heading });
        const rest = Object.assign(document.createElement('small'), { textContent: `${page}: ${text.slice(0, 90)}` });
        link.append(title, rest);
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
  }

  input.addEventListener('input', () => void show());
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = '';
      void show();
    }
    if (event.key !== '/' || event.target.closest('input, textarea, select')) return;
    event.preventDefault();
    input.focus();
  });
})();
