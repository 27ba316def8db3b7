import { defineMetrics } from './define-metrics';

/** Stands for every function that serves a route below /v1. */
export const EVERY_ROUTE = 'every /v1 route';

/** Metrics of every request, whatever its route. Each is 0 or 1, so the average is a share. */
export const REQUEST_METRICS = defineMetrics({
  ColdStarts: {
    unit: 'Count',
    emitters: [EVERY_ROUTE, 'authorize'],
    tells: 'Invocations that had to load the function first.',
  },
  Unavailable: {
    unit: 'Count',
    emitters: [EVERY_ROUTE, 'authorize'],
    tells: 'Requests answered 503, because something we depend on did not answer in time.',
  },
  UnhandledErrors: {
    unit: 'Count',
    emitters: [EVERY_ROUTE],
    tells: 'Requests answered 500: a bug, always.',
  },
});
