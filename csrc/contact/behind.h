/* Which men are behind a bearoff: bgr_contact_of, and what it gives, checked. */
#ifndef BGR_BEHIND_H
#define BGR_BEHIND_H

#include "bgrace.h"
#include "bgrace_contact.h"

/* BGR_OK if the tables know it; else BGR_ERR_COVERAGE, BGR_ERR_POSITION, BGR_ERR_ARGUMENT. */
bgr_status bgr_check_contact(const bgr_contact *contact);

#endif
