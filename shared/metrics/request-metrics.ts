import { defineMetrics } from './define-metrics';

export const EVERY_ROUTE = 'every /v1 route';

export const REQUEST_METRICS = defineMetrics([EVERY_ROUTE, 'authorize'], {
  ColdStarts: {
    unit: 'Count',
    tells: '1 when the function had to be loaded first, else 0: the average is the share of cold starts.',
  },
  Unavailable: {
    unit: 'Count',
    sparse: 'rare',
    tells: 'Requests answered 503, because something we depend on did not answer in time.',
  },
  UnhandledErrors: {
    unit: 'Count',
    emitters: [EVERY_ROUTE],
    sparse: 'rare',
    tells: 'Requests answered 500: a bug, always.',
  },
});
