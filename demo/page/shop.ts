import { deviceFingerprint } from '../../sdk/device/src';
import type { OrderView } from '../shop';

const form = document.querySelector('form') as HTMLFormElement;
const shown = document.querySelector('#order') as HTMLElement;

const SAID: Readonly<Record<OrderView['state'], string>> = {
  paid: 'Thank you! Your order is paid and on its way.',
  held: 'Thank you. We are checking your order and will email you.',
  declined: 'Your payment was declined. Please try another card.',
  shipped: 'Good news: your order has been approved and is on its way.',
  cancelled: 'Sorry, your order was cancelled. You have not been charged.',
};

const LOOK_AGAIN_MS = 1_000;

function element(tag: string, text: string, ...children: readonly Element[]): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  made.append(...children);
  return made;
}

/** Details a real shop never shows its customers: the point of this demo. */
function behindTheCounter({ score, decision, reasons, caseUrl }: OrderView): Element[] {
  const link = element('a', 'Review it in the console') as HTMLAnchorElement;
  if (caseUrl) link.href = caseUrl;
  return [
    element('h3', 'Behind the scenes'),
    element(
      'p',
      score === null
        ? 'The service did not respond, so the shop’s fail policy decided.'
        : `Score ${score} out of 100: ${decision}`,
    ),
    element(
      'ul',
      '',
      ...reasons.map(({ signal, points, detail }) =>
        element('li', `${points > 0 ? '+' : ''}${points} ${signal}: ${detail}`),
      ),
    ),
    ...(caseUrl ? [element('p', '', link)] : []),
  ];
}

function show(order: OrderView): void {
  shown.className = order.state;
  shown.replaceChildren(
    element('h2', SAID[order.state]),
    element('small', `Order ${order.id}`),
    ...behindTheCounter(order),
  );
}

/** A held order waits for an analyst; the webhook notifies the shop, and this page polls the shop. */
async function follow(id: number): Promise<void> {
  const order = (await (await fetch(`/orders/${id}`)).json()) as OrderView;
  if (shown.dataset.order !== String(id)) return;
  if (order.state !== 'held') show(order);
  else setTimeout(() => void follow(id).catch(fail), LOOK_AGAIN_MS);
}

function fail(): void {
  shown.className = 'failed';
  shown.replaceChildren(element('h2', 'The shop did not respond. Is the demo still running?'));
}

async function pay(): Promise<void> {
  const fields = new FormData(form);
  const device = await deviceFingerprint({ consent: () => fields.get('consent') === 'on' });
  const body = JSON.stringify({
    product: fields.get('product'),
    customer: fields.get('customer'),
    place: fields.get('place'),
    device,
  });
  const response = await fetch('/orders', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  if (!response.ok) throw new Error(String(response.status));
  const order = (await response.json()) as OrderView;
  shown.dataset.order = String(order.id);
  show(order);
  if (order.state === 'held') await follow(order.id);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const button = form.querySelector('button') as HTMLButtonElement;
  button.disabled = true;
  pay()
    .catch(fail)
    .finally(() => {
      button.disabled = false;
    });
});
