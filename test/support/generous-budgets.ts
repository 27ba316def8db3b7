import { stretchTimeBudgets } from '../../shared/store/sdk/time-budget';
import { GENEROUS_BUDGETS } from './patience';

// Stores that run inside a test wait as long for the database as the services under test do.
stretchTimeBudgets(Number(GENEROUS_BUDGETS.TIME_BUDGET_FACTOR));
