import redoc from 'redoc/bundles/redoc.standalone.js';
import { staticText } from '../../shared/http/static-text';
import { withoutVendorLogo } from '../../shared/http/without-vendor-logo';

/** The viewer's menu takes clicks only: its entries become reachable by Tab, and Enter follows them. Its last line is a comment. */
const KEYBOARD = `
;(() => {
  const reach = () => {
    for (const entry of document.querySelectorAll('[role=menuitem] > label:not([tabindex])')) entry.tabIndex = 0;
  };
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target.matches('[role=menuitem] > label')) event.target.click();
  });
  new MutationObserver(reach).observe(document, { childList: true, subtree: true });
})();`;

export const handler = staticText({
  contentType: 'text/javascript; charset=utf-8',
  text: withoutVendorLogo(redoc) + KEYBOARD,
});
