// What solver/highs needs of HiGHS besides the binding.

#include <stdint.h>
#include <stdlib.h>
#include "util/HighsInt.h"
#include "lp_data/HighsCallbackStruct.h"

// The functions the binding lacks. highs_c_api.h cannot be included: it defines
// its constants with external linkage, and the binding has included it already.
extern void Highs_destroy(void* highs);
extern const char* Highs_version(void);
extern HighsInt Highs_getModelStatus(const void* highs);
extern HighsInt Highs_getNumCol(const void* highs);
extern HighsInt Highs_getIntInfoValue(const void* highs, const char* info, HighsInt* value);
extern HighsInt Highs_getInt64InfoValue(const void* highs, const char* info, int64_t* value);
extern HighsInt Highs_getSolution(const void* highs, double* colValue, double* colDual, double* rowValue, double* rowDual);
extern void Highs_resetGlobalScheduler(const HighsInt blocking);
extern HighsInt Highs_setCallback(void* highs, HighsCCallbackType callback, void* data);
extern HighsInt Highs_startCallback(void* highs, const int type);

// The values of highs_c_api.h. Its constants are objects that the binding alone may hold, and a package that refers to
// objects of another is linked by gcc alone. TestConstants compares them with the header.
enum {
	kHighsModelStatusOptimal = 7,
	kHighsModelStatusInfeasible = 8,
	kHighsModelStatusUnboundedOrInfeasible = 9,
	kHighsModelStatusUnbounded = 10,
	kHighsModelStatusObjectiveBound = 11,
	kHighsModelStatusObjectiveTarget = 12,
	kHighsModelStatusTimeLimit = 13,
	kHighsModelStatusIterationLimit = 14,
	kHighsModelStatusSolutionLimit = 16,
	kHighsModelStatusInterrupt = 17,
	kHighsCallbackSimplexInterrupt = 1,
	kHighsCallbackIpmInterrupt = 2,
	kHighsCallbackMipInterrupt = 6,
	kHighsSolutionStatusFeasible = 2,
};

static void interruptWhenAsked(int type, const char* message, const HighsCallbackDataOut* out, HighsCallbackDataIn* in, void* asked) {
	(void)type; (void)message; (void)out;
	if (in) in->user_interrupt = __atomic_load_n((int32_t*)asked, __ATOMIC_RELAXED);
}

static HighsInt watch(void* highs, int32_t* asked) {
	HighsInt status = Highs_setCallback(highs, interruptWhenAsked, asked);
	if (status == 0) status = Highs_startCallback(highs, kHighsCallbackSimplexInterrupt);
	if (status == 0) status = Highs_startCallback(highs, kHighsCallbackIpmInterrupt);
	if (status == 0) status = Highs_startCallback(highs, kHighsCallbackMipInterrupt);
	return status;
}
