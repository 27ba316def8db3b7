// Refreshes the page and shows values under the pointer.
const REFRESH_MS = 5000;
let tip;
const hide = () => {
  tip?.remove();
  tip = undefined;
  document.querySelectorAll('.cursor').forEach((line) => {
    line.style.visibility = 'hidden';
  });
};
const refresh = async () => {
  if (document.hidden || tip) return;
  try {
    const text = await (await fetch(location.href)).text();
    const fresh = new DOMParser().parseFromString(text, 'text/html');
    document.querySelector('main').replaceWith(fresh.querySelector('main'));
    document.querySelector('header small').replaceWith(fresh.querySelector('header small'));
  } catch {
    document.querySelector('header small').textContent = 'The local run has stopped.';
  }
};
setInterval(refresh, REFRESH_MS);
document.addEventListener('pointermove', (event) => {
  const svg = event.target.closest?.('svg.graph');
  hide();
  if (!svg) return;
  const data = JSON.parse(svg.parentElement.querySelector('script').textContent);
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / box.width;
  const left = Number(svg.dataset.left),
    right = Number(svg.dataset.right),
    count = Number(svg.dataset.count);
  const x = (event.clientX - box.left) * scale;
  const at = Math.floor(((x - left) / (right - left)) * count);
  if (at < 0 || at >= count) return;
  const cursor = svg.querySelector('.cursor');
  const place = left + ((at + 0.5) / count) * (right - left);
  cursor.setAttribute('x1', place);
  cursor.setAttribute('x2', place);
  cursor.style.visibility = 'visible';
  const rows = data.rows.filter((row) => row.values[at] !== null);
  tip = document.createElement('div');
  tip.className = 'tip';
  tip.append(`${data.times[at]} UTC`);
  for (const row of rows.slice(0, 14)) {
    const line = document.createElement('div'),
      mark = document.createElement('i'),
      value = document.createElement('b');
    mark.style.background = row.color;
    value.textContent = row.values[at];
    line.append(value, mark, row.label);
    tip.append(line);
  }
  document.body.append(tip);
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - width - 8)}px`;
  tip.style.top = `${Math.max(8, Math.min(event.clientY + 14, innerHeight - height - 8))}px`;
});
document.addEventListener('pointerleave', hide);
