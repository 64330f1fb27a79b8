// What the resolver finds and how addresses are written: any addresses, short texts.
#include "cohort_intrinsics.h"
#include "types.h"

void cohort_any_text(char *to, int may_be_empty);
void cohort_plain_any(unsigned char *to, unsigned long count);
int *__errno_location(void);

// As in <netdb.h>.
struct addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  unsigned ai_addrlen;
  void *ai_addr;
  char *ai_canonname;
  struct addrinfo *ai_next;
};
struct cohort_found_address {
  struct addrinfo information;
  unsigned char address[28];
};
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  enum { inet = 2, inet6 = 10, size = 16, size6 = 28 };
  (void)node, (void)service;
  if (__cohort_nondet_bool()) {
    const int error = __cohort_nondet_int();
    __cohort_assume(error >= -12);
    __cohort_assume(error <= -1);
    return error;
  }
  __cohort_note("getaddrinfo finds one address, any one, or none");
  struct cohort_found_address *found = __cohort_allocate_zero(sizeof *found);
  const int wanted = hints != COHORT_NULL ? hints->ai_family : 0;
  const int is_long = wanted == 0 ? __cohort_nondet_bool() : wanted == inet6;
  found->information.ai_family = is_long ? inet6 : inet;
  found->information.ai_socktype = hints != COHORT_NULL && hints->ai_socktype != 0 ? hints->ai_socktype : 1;
  found->information.ai_protocol = hints != COHORT_NULL ? hints->ai_protocol : 0;
  found->information.ai_addrlen = is_long ? size6 : size;
  found->information.ai_addr = found->address;
  cohort_plain_any(found->address, sizeof found->address);
  *result = &found->information;
  return 0;
}
void freeaddrinfo(struct addrinfo *result) { __cohort_free(result); }
char *strerror(int error);
const char *gai_strerror(int error) { return strerror(error); }

struct hostent {
  char *h_name;
  char **h_aliases;
  int h_addrtype;
  int h_length;
  char **h_addr_list;
};
static char cohort_host_name[8];
static char cohort_host_address[4];
static char *cohort_host_addresses[2] = {cohort_host_address, COHORT_NULL};
static char *cohort_host_aliases[1];
static struct hostent cohort_host = {cohort_host_name, cohort_host_aliases, 2, 4, cohort_host_addresses};
struct hostent *gethostbyname(const char *name) {
  (void)name;
  if (__cohort_nondet_bool()) return COHORT_NULL;
  __cohort_note("gethostbyname finds one address, any one, or none");
  cohort_any_text(cohort_host_name, 0);
  cohort_plain_any((unsigned char *)cohort_host_address, sizeof cohort_host_address);
  return &cohort_host;
}

enum { COHORT_ENOSPC = 28 };
const char *inet_ntop(int family, const void *address, char *to, unsigned size) {
  (void)family, (void)address;
  if (size < 16) {
    *__errno_location() = COHORT_ENOSPC;
    return COHORT_NULL;
  }
  __cohort_note("the text of an address is any text of at most 7 characters");
  cohort_any_text(to, 0);
  return to;
}
struct in_addr {
  unsigned s_addr;
};
static char cohort_address_text[18];
char *inet_ntoa(struct in_addr address) {
  (void)address;
  __cohort_note("the text of an address is any text of at most 7 characters");
  cohort_any_text(cohort_address_text, 0);
  return cohort_address_text;
}
int gethostname(char *to, unsigned long size) {
  if (size < 8) return __cohort_nondet_bool() ? 0 : -1;
  __cohort_note("the name of the host is any text of at most 7 characters");
  cohort_any_text(to, 1);
  return 0;
}
