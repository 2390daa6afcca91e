static inline int in_part(int x)
{
	return x + 1;
}
