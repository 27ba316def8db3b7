// Refreshes the page while somebody looks at it.
const REFRESH_MS = 5000;
setInterval(async () => {
  if (document.hidden) return;
  try {
    const text = await (await fetch(location.href)).text();
    const fresh = new DOMParser().parseFromString(text, 'text/html');
    document.querySelector('main').replaceWith(fresh.querySelector('main'));
    document.querySelector('header small').replaceWith(fresh.querySelector('header small'));
  } catch {
    document.querySelector('header small').textContent = 'The local run has stopped.';
  }
}, REFRESH_MS);
