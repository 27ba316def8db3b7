import { asPercent, evenSteps } from '../../../shared/charts/axes';
import type { Decision } from '../api/types';
import { nameOf, plural, sentence, signedPoints } from '../text/words';
import { type Step, waterfallScale, waterfallSteps } from './scale';

const GRID = evenSteps(0, 100, 4);

const BAR_HEIGHT = 18;

/** The bar of one step, with threads from the previous sum and to the next step. */
function Bar({ step, scale, isLast }: { readonly step: Step; readonly scale: number; readonly isLast: boolean }) {
  const x = (value: number): string => asPercent(value / scale);
  const isChange = step.kind === 'up' || step.kind === 'down';
  return (
    <svg class="waterfall-bar" aria-hidden="true">
      {GRID.map((value) => (
        <line key={value} class="grid" x1={x(value)} x2={x(value)} y1="0" y2="100%" />
      ))}
      {isChange && <line class="thread" x1={x(step.from)} x2={x(step.from)} y1="0" y2="50%" />}
      {!isLast && <line class="thread" x1={x(step.to)} x2={x(step.to)} y1="50%" y2="100%" />}
      <rect
        class={step.kind}
        x={x(Math.min(step.from, step.to))}
        width={x(Math.max(Math.abs(step.to - step.from), 0.5))}
        y="50%"
        height={BAR_HEIGHT}
        rx="2"
        transform={`translate(0 ${-BAR_HEIGHT / 2})`}
      />
    </svg>
  );
}

const summaryOf = (steps: readonly Step[]): string => {
  const count = (kind: Step['kind']) => steps.filter((step) => step.kind === kind).length;
  const [up, down] = [count('up'), count('down')];
  const lowered = down > 0 ? `, ${plural(down, 'signal')} ${down === 1 ? 'lowers' : 'lower'} it` : '';
  return `From ${steps[0]?.to} to ${steps.at(-1)?.to}: ${plural(up, 'signal')} ${up === 1 ? 'raises' : 'raise'} the score${lowered}.`;
};

/** The explanation as bars of points, from base to score. The text says everything the bars show. */
export function Waterfall({ explanation }: { readonly explanation: Decision['explanation'] }) {
  const steps = waterfallSteps(explanation.base, explanation.contributions);
  const scale = waterfallScale(steps);
  return (
    <div class="waterfall">
      <p class="muted">{summaryOf(steps)}</p>
      <ol>
        {steps.map((step, index) => (
          <li key={step.label} class={step.kind}>
            <span class="waterfall-text">
              <b>{step.kind === 'up' || step.kind === 'down' ? nameOf(step.label) : step.label}</b>
              {step.detail && <span class="muted">{sentence(step.detail)}</span>}
            </span>
            <Bar step={step} scale={scale} isLast={index === steps.length - 1} />
            <span class="waterfall-points">
              {step.kind === 'up' || step.kind === 'down' ? signedPoints(step.points) : step.points}
              <span class="hidden"> points</span>
            </span>
          </li>
        ))}
      </ol>
      <div class="waterfall-axis" aria-hidden="true">
        {GRID.map((value) => (
          <span key={value}>{value}</span>
        ))}
      </div>
    </div>
  );
}
