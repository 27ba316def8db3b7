import { takeBuiltFunctions } from '../../lib/bundling/bundle-functions';
import { fraudScreeningApp } from '../../lib/fraud-screening-app';

// The application for a run with deployment options: the one stage that runs, with the functions that synthesize-once.ts
// has built. Rule packs see the same options in test/infra/synth-matrix.test.ts.
takeBuiltFunctions();
const app = fraudScreeningApp();
app.node.tryRemoveChild('FraudScreening-production');
app.synth();
