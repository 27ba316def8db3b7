import { defineMetrics } from './define-metrics';

export const EVERY_ROUTE = 'every /v1 route';

export const REQUEST_METRICS = defineMetrics([EVERY_ROUTE, 'authorize'], {
  ColdStarts: { tells: '1 when the function had to be loaded first, else 0: the average is the share of cold starts.' },
  Unavailable: {
    sparse: 'rare',
    tells: 'Requests answered 503, because something we depend on did not answer in time.',
  },
  UnhandledErrors: { emitters: [EVERY_ROUTE], sparse: 'rare', tells: 'Requests answered 500: a bug, always.' },
});
